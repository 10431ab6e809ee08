import { ODDS_ONE } from '#core/money.js';
import { type Database, Prisma, type Queryable } from '#platform/database/database.js';
import type { Bet, OpenBetsRequest } from './bet.js';
import { given, isOpen, listedBets, sharedConditions, shownBets } from './bet-conditions.js';
import { inAccounts, type ListQuery, readList, sortedBy, type TotalRow } from './list-reader.js';
import { userIdsOf, wagerIdsOf } from './named-ids.js';
import { type Page, readPlaced } from './placed-list.js';

const sortColumns: Record<OpenBetsRequest['sortBy'], Prisma.Sql> = {
  requesting_odds: Prisma.sql`listed.requesting_odds`,
  requesting_amount: Prisma.sql`listed.requesting_amount`,
  created_at: Prisma.sql`listed.created_at`,
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

/** What cancels have named and the worker has still to cancel. */
const pendingCancels = ({ accountIds }: OpenBetsRequest): Prisma.Sql => Prisma.sql`
  SELECT listed.account_id, listed.id AS wager_id, named.*
    FROM wagers listed
   CROSS JOIN LATERAL jsonb_to_recordset(listed.pending_cancels)
         AS named (user_id bigint, minimum_odds bigint, maximum_odds bigint, queue_place bigint, bet_id bigint)
   WHERE ${inAccounts(accountIds)} AND listed.pending_cancels IS NOT NULL`;

const isNamed = Prisma.sql`listed.account_id = named.account_id AND listed.wager_id = named.wager_id
  AND listed.requesting_user_id = named.user_id AND (listed.queue_place, listed.id) <= (named.queue_place, named.bet_id)
  AND (named.minimum_odds IS NULL OR listed.requesting_odds >= named.minimum_odds)
  AND (named.maximum_odds IS NULL OR listed.requesting_odds <= named.maximum_odds)`;

/** For a decision, a cancel or both, each offer that the worker has still to end, once. */
const endingOffers = (request: OpenBetsRequest): Prisma.Sql => Prisma.sql`
  SELECT listed.account_id, listed.id, listed.requesting_amount
    FROM (${settlingWagers(request)}) AS settling JOIN bets listed ON listed.wager_id = settling.id
   WHERE ${inAccounts(request.accountIds)} AND ${isOpen}
  UNION
  SELECT listed.account_id, listed.id, listed.requesting_amount
    FROM (${pendingCancels(request)}) AS named JOIN bets listed ON ${isNamed}
   WHERE ${inAccounts(request.accountIds)} AND ${isOpen}`;

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

const countedTotals = ({ accountIds }: OpenBetsRequest, conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  Prisma.sql`SELECT count(*) AS total, coalesce(sum(listed.requesting_amount), 0) AS amount
    FROM bets listed WHERE ${Prisma.join([inAccounts(accountIds), isOpen, ...conditions], ' AND ')}`;

/** A plain query lists what the worker has still to end; its totals say whether there may be some. */
async function openQuery(
  database: Queryable,
  request: OpenBetsRequest,
  { isPlain }: { readonly isPlain: boolean },
): Promise<ListQuery> {
  const { accountIds, minimumOdds, maximumOdds, minimumAmount, maximumAmount } = request;
  const wagerIds = await wagerIdsOf(database, accountIds, request.wagerReferences);
  const userIds = await userIdsOf(database, accountIds, { ids: request.userIds, references: request.userReferences });
  // No offer has odds below 1: the default of 1 filters nothing, so it must not cost a count.
  const leastOdds = minimumOdds === ODDS_ONE ? undefined : minimumOdds;
  const filters = [
    ...sharedConditions({ ...request, wagerIds }),
    ...given(userIds, (ids) => Prisma.sql`listed.requesting_user_id = ANY(${ids}::bigint[])`),
    ...given(leastOdds, (odds) => Prisma.sql`listed.requesting_odds >= ${odds}`),
    ...given(maximumOdds, (odds) => Prisma.sql`listed.requesting_odds <= ${odds}`),
    ...given(minimumAmount, (amount) => Prisma.sql`listed.requesting_amount >= ${amount}`),
    ...given(maximumAmount, (amount) => Prisma.sql`listed.requesting_amount <= ${amount}`),
  ];
  const withoutEnding = [
    Prisma.sql`listed.wager_id NOT IN (${settlingWagers(request)})`,
    Prisma.sql`NOT EXISTS (SELECT FROM (${pendingCancels(request)}) AS named WHERE ${isNamed})`,
  ];
  const conditions = isPlain ? filters : [...filters, ...withoutEnding];
  const totals = filters.length === 0 ? maintainedTotals(request, isPlain) : countedTotals(request, conditions);
  return {
    ...shownBets,
    accountIds,
    parts: [sortedBy(sortColumns[request.sortBy], listedBets, [isOpen, ...conditions])],
    isNarrow: wagerIds !== undefined || userIds !== undefined,
    order: { descending: request.descending },
    offset: request.offset,
    limit: request.limit,
    totals: Prisma.sql`SELECT totals.total, totals.amount::text, EXISTS (${settlingWagers(request)}) OR EXISTS (${pendingCancels(request)}) AS "hasEnding"
      FROM (${totals}) AS totals`,
  };
}

export interface OpenBets {
  readonly bets: readonly Bet[];
  readonly total: number;
  readonly totalRequestingAmount: bigint;
}

/**
 * An offer of a decided wager counts as expired before the worker has expired it, and one that a cancel has named counts as
 * canceled. The indexes that hold the orders do not know the wagers' state. So the list is read plainly first, and again
 * without such offers when a wager may have some.
 */
async function readOpenBets(
  database: Database,
  request: OpenBetsRequest,
): Promise<Page<Bet> & { readonly amount: bigint }> {
  const read = async (isPlain: boolean) =>
    readList<Bet, OpenTotalsRow>(database, await openQuery(database, request, { isPlain }));
  const plain = await read(true);
  const { items, totals } = plain.totals.hasEnding ? await read(false) : plain;
  return { items, total: Number(totals.total), amount: BigInt(totals.amount) };
}

const sortKeys: Record<OpenBetsRequest['sortBy'], (bet: Bet) => Date | bigint> = {
  requesting_odds: ({ requestingOdds }) => requestingOdds,
  requesting_amount: ({ requestingAmount }) => requestingAmount,
  created_at: ({ createdAt }) => createdAt,
};

export async function listOpenBets(database: Database, request: OpenBetsRequest): Promise<OpenBets> {
  const { items, total, amount } = await readPlaced<OpenBetsRequest, Bet, { readonly amount: bigint }>(
    database,
    request,
    readOpenBets,
    {
      order: { descending: request.descending, keyOf: sortKeys[request.sortBy], idOf: ({ id }) => id },
      sumOf: (pages) => ({ amount: pages.reduce((sum, { amount: part }) => sum + part, 0n) }),
    },
  );
  return { bets: items, total, totalRequestingAmount: amount };
}
