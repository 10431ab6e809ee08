import { ODDS_ONE } from '#core/money.js';
import { type AccountTables, type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import type { OpenBetsRequest, ShownBet } from './bet.js';
import {
  byTime,
  given,
  isCancelPending,
  isOpenSql,
  listedBets,
  pendingCancels,
  sharedConditions,
  shownBets,
} from './bet-conditions.js';
import { type NamedIds, namedIdsOf } from './ids-by-reference.js';
import {
  inAccounts,
  isOneOf,
  type ListQuery,
  readList,
  readListIn,
  type SortColumn,
  sortedBy,
  type TotalRow,
} from './list-reader.js';
import { readMerged, sumOfTotals } from './merged-list.js';
import { isGiven, type MetaFilter, metaFilterOf } from './meta-filter.js';
import type { List } from './page.js';

const sortColumns: Record<OpenBetsRequest['sortBy'], SortColumn> = {
  requesting_odds: { column: Prisma.sql`listed.requesting_odds`, keyType: 'bigint' },
  requesting_amount: { column: Prisma.sql`listed.requesting_amount`, keyType: 'bigint' },
  created_at: byTime,
};

interface OpenTotalsRow extends TotalRow {
  /** Text: it may exceed 64 bits. */
  readonly amount: string;
  /** Whether a wager has open offers that do not belong in the list. */
  readonly hasEnding: boolean;
}

/** Decided wagers, some of whose offers the worker may still have to expire. */
const settlingWagers = ({ accountIds }: OpenBetsRequest): Prisma.Sql => Prisma.sql`SELECT listed.id FROM wagers listed
  WHERE ${inAccounts(accountIds)} AND listed.settling_since IS NOT NULL AND listed.outcome <> 'undecided'`;

const pendingCancelsOf = ({ accountIds }: OpenBetsRequest): Prisma.Sql => pendingCancels(inAccounts(accountIds));

/** For a decision, a cancel or both, each offer that the worker has still to end, once. */
const endingOffers = (request: OpenBetsRequest): Prisma.Sql => Prisma.sql`
  SELECT listed.account_id, listed.id, listed.requesting_amount
    FROM (${settlingWagers(request)}) AS settling JOIN bets listed ON listed.wager_id = settling.id
   WHERE ${inAccounts(request.accountIds)} AND ${isOpenSql}
  UNION
  SELECT listed.account_id, listed.id, listed.requesting_amount
    FROM (${pendingCancelsOf(request)}) AS cancel JOIN bets listed ON ${isCancelPending}
   WHERE ${inAccounts(request.accountIds)} AND ${isOpenSql}`;

/** The maintained totals include the offers that the worker has still to end: unless the query is plain, they are subtracted. */
function maintainedTotals(request: OpenBetsRequest, isPlain: boolean): Prisma.Sql {
  const inScope = inAccounts(request.accountIds);
  const maintained = Prisma.sql`SELECT coalesce(sum(open_bets), 0)::bigint AS total, coalesce(sum(open_amount), 0) AS amount
    FROM ledger_totals listed WHERE ${inScope}`;
  return isPlain
    ? maintained
    : Prisma.sql`SELECT maintained.total - expiring.total AS total, maintained.amount - expiring.amount AS amount
        FROM (${maintained}) AS maintained
       CROSS JOIN (SELECT count(*) AS total, coalesce(sum(ending.requesting_amount), 0) AS amount
                     FROM (${endingOffers(request)}) AS ending) AS expiring`;
}

/** Without totals the query still says whether a wager has offers that do not belong in the list. */
const noTotals = Prisma.sql`SELECT 0::bigint AS total, 0 AS amount`;

const countedTotals = ({ accountIds }: OpenBetsRequest, conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  Prisma.sql`SELECT count(*) AS total, coalesce(sum(listed.requesting_amount), 0) AS amount
    FROM bets listed WHERE ${Prisma.join([inAccounts(accountIds), isOpenSql, ...conditions], ' AND ')}`;

interface Found extends NamedIds {
  readonly byMeta?: MetaFilter;
}

/** A plain query lists what the worker has still to end; its totals say whether there may be some. */
function openQuery(request: OpenBetsRequest, { userIds, wagerIds, byMeta }: Found, isPlain: boolean): ListQuery {
  const { accountIds, minimumOdds, maximumOdds, minimumAmount, maximumAmount } = request;
  // No offer has odds below 1: the default of 1 filters nothing, so it must not cost a count.
  const leastOdds = minimumOdds === ODDS_ONE ? undefined : minimumOdds;
  const filters = [
    ...sharedConditions({ ...request, wagerIds, byMeta }),
    ...given(userIds, (ids) => isOneOf(Prisma.sql`listed.requesting_user_id`, ids)),
    ...given(leastOdds, (odds) => Prisma.sql`listed.requesting_odds >= ${odds}`),
    ...given(maximumOdds, (odds) => Prisma.sql`listed.requesting_odds <= ${odds}`),
    ...given(minimumAmount, (amount) => Prisma.sql`listed.requesting_amount >= ${amount}`),
    ...given(maximumAmount, (amount) => Prisma.sql`listed.requesting_amount <= ${amount}`),
  ];
  const withoutEnding = [
    Prisma.sql`listed.wager_id NOT IN (${settlingWagers(request)})`,
    Prisma.sql`NOT EXISTS (SELECT FROM (${pendingCancelsOf(request)}) AS cancel WHERE ${isCancelPending})`,
  ];
  const conditions = isPlain ? filters : [...filters, ...withoutEnding];
  const totals = filters.length === 0 ? maintainedTotals(request, isPlain) : countedTotals(request, conditions);
  return {
    accountIds,
    ...shownBets,
    parts: [sortedBy(sortColumns[request.sortBy], listedBets, [isOpenSql, ...conditions])],
    isNarrow: wagerIds !== undefined || userIds !== undefined || byMeta?.isNarrow === true,
    order: { descending: request.descending },
    page: request.page,
    totals: Prisma.sql`SELECT totals.total, totals.amount::text, EXISTS (${settlingWagers(request)}) OR EXISTS (${pendingCancelsOf(request)}) AS "hasEnding"
      FROM (${request.page.withTotals ? totals : noTotals}) AS totals`,
  };
}

export interface OpenTotals extends TotalRow {
  readonly totalRequestingAmount: bigint;
}

/**
 * An offer of a decided wager counts as expired before the worker has expired it, and one of a pending cancel counts as
 * canceled. The indexes that hold the orders do not know the wagers' state. So the list is read plainly first, and again
 * without such offers when a wager may have some.
 */
async function readOpenBets<Source extends AccountTables | Tx>(
  source: Source,
  request: OpenBetsRequest,
  readFrom: (source: Source, query: ListQuery) => Promise<List<ShownBet, OpenTotalsRow>>,
  given?: Found,
): Promise<List<ShownBet, OpenTotals>> {
  const found = given ?? (await namedIdsOf(source, request.accountIds, request));
  const read = (isPlain: boolean) => readFrom(source, openQuery(request, found, isPlain));
  const plain = await read(true);
  const { totals, ...page } = plain.totals?.hasEnding ? await read(false) : plain;
  if (totals === undefined || !request.page.withTotals) return { ...page, totals: undefined };
  return { ...page, totals: { total: totals.total, totalRequestingAmount: BigInt(totals.amount) } };
}

const sortKeys: Record<OpenBetsRequest['sortBy'], (bet: ShownBet) => Date | bigint> = {
  requesting_odds: ({ requestingOdds }) => requestingOdds,
  requesting_amount: ({ requestingAmount }) => requestingAmount,
  created_at: ({ createdAt }) => createdAt,
};

export function listOpenBets(database: Database, request: OpenBetsRequest): Promise<List<ShownBet, OpenTotals>> {
  const read = (tables: AccountTables, ofTables: OpenBetsRequest) => {
    const { meta } = ofTables;
    if (!isGiven(meta)) return readOpenBets(tables, ofTables, readList);
    const readIn = async (snapshot: Tx) => {
      const named = await namedIdsOf(snapshot, ofTables.accountIds, ofTables);
      const byMeta = await metaFilterOf(snapshot, 'bets', meta, openQuery(ofTables, named, true));
      return readOpenBets(snapshot, ofTables, readListIn, { ...named, byMeta });
    };
    return withTx(tables, readIn, 'RepeatableRead');
  };
  return readMerged(database, request, read, {
    rowOf: (bet) => ({ id: bet.id, sortKey: sortKeys[request.sortBy](bet) }),
    sumOf: (parts) => ({
      ...sumOfTotals(parts),
      totalRequestingAmount: parts.reduce((sum, { totalRequestingAmount }) => sum + totalRequestingAmount, 0n),
    }),
  });
}

/** Those of accounts in the same tables, inside the caller's snapshot of them. */
export const listOpenBetsIn = (snapshot: Tx, request: OpenBetsRequest): Promise<List<ShownBet, OpenTotals>> =>
  readOpenBets(snapshot, request, readListIn);
