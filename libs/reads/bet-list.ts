import { ODDS_ONE } from '#core/money.js';
import { type Database, Prisma, type Queryable, withTx } from '#platform/database/database.js';
import type { Bet, BetWithTrails, HistoryRequest, OpenBetsRequest } from './bet.js';
import { betColumns, betSurroundings, withTrails } from './bet-repository.js';
import { inAccounts, type List, type ListQuery, readList, readListIn, type Stretch } from './list-reader.js';
import { userIdsOf, wagerIdsOf } from './named-ids.js';

type Conditions = readonly Prisma.Sql[];

const shown = {
  columns: betColumns,
  joined: Prisma.sql`JOIN bets b ON b.account_id = page.account_id AND b.id = page.id ${betSurroundings}`,
};

const bets = Prisma.sql`bets listed`;
const betsAndWagers = Prisma.sql`bets listed
  JOIN wagers wager ON wager.account_id = listed.account_id AND wager.id = listed.wager_id`;

/** As the partial indexes say it, word for word: else they are not used. */
const isOpen = Prisma.sql`listed.offer_status = 'requesting' AND listed.is_active`;

const given = <Value>(value: Value | undefined, condition: (value: Value) => Prisma.Sql): Prisma.Sql[] =>
  value === undefined ? [] : [condition(value)];

interface SharedFilters {
  readonly wagerIds: readonly bigint[] | undefined;
  readonly createdFrom: Date | undefined;
  readonly createdUntil: Date | undefined;
}

const sharedConditions = ({ wagerIds, createdFrom, createdUntil }: SharedFilters): Prisma.Sql[] => [
  ...given(wagerIds, (ids) => Prisma.sql`listed.wager_id = ANY(${ids}::bigint[])`),
  ...given(createdFrom, (from) => Prisma.sql`listed.created_at >= ${from}`),
  ...given(createdUntil, (until) => Prisma.sql`listed.created_at <= ${until}`),
];

const plainStretch = (column: Prisma.Sql, from: Prisma.Sql, conditions: Conditions): Stretch => ({
  from,
  conditions,
  orderedBy: column,
  sortKey: column,
});

const openSortColumns: Record<OpenBetsRequest['sortBy'], Prisma.Sql> = {
  requesting_odds: Prisma.sql`listed.requesting_odds`,
  requesting_amount: Prisma.sql`listed.requesting_amount`,
  created_at: Prisma.sql`listed.created_at`,
};

interface OpenTotals {
  readonly total: bigint;
  /** Text: it may pass 64 bits. */
  readonly amount: string;
  /** Whether a wager is settling, whose offers should not be among them. */
  readonly isSettling: boolean;
}

/** Decided wagers, some of whose offers the worker may still have to expire. */
const settlingWagers = ({ accountIds }: OpenBetsRequest): Prisma.Sql => Prisma.sql`SELECT listed.id FROM wagers listed
  WHERE ${inAccounts(accountIds)} AND listed.settling_since IS NOT NULL AND listed.outcome <> 'undecided'`;

/** Kept are the totals of all offers that stand open; those of settling wagers are taken off. */
function keptTotals(request: OpenBetsRequest, isPlain: boolean): Prisma.Sql {
  const inScope = inAccounts(request.accountIds);
  const kept = Prisma.sql`SELECT coalesce(sum(open_bets), 0)::bigint AS total, coalesce(sum(open_amount), 0) AS amount
    FROM ledger_totals listed WHERE ${inScope}`;
  return isPlain
    ? kept
    : Prisma.sql`SELECT kept.total - expiring.total AS total, kept.amount - expiring.amount AS amount
        FROM (${kept}) AS kept
       CROSS JOIN (SELECT count(*) AS total, coalesce(sum(listed.requesting_amount), 0) AS amount
                     FROM (${settlingWagers(request)}) AS settling JOIN bets listed ON listed.wager_id = settling.id
                    WHERE ${inScope} AND ${isOpen}) AS expiring`;
}

const countedTotals = ({ accountIds }: OpenBetsRequest, conditions: Conditions): Prisma.Sql =>
  Prisma.sql`SELECT count(*) AS total, coalesce(sum(listed.requesting_amount), 0) AS amount
    FROM bets listed WHERE ${Prisma.join([inAccounts(accountIds), isOpen, ...conditions], ' AND ')}`;

/** Plain: as if no wager was settling; the totals then tell whether one is. */
async function openQuery(
  database: Queryable,
  request: OpenBetsRequest,
  { isPlain }: { readonly isPlain: boolean },
): Promise<ListQuery> {
  const { accountIds, minimumOdds, maximumOdds, minimumAmount, maximumAmount } = request;
  const wagerIds = await wagerIdsOf(database, accountIds, request.wagerReferences);
  const userIds = await userIdsOf(database, accountIds, { ids: request.userIds, references: request.userReferences });
  // No offer has odds below 1: the default filters nothing, and shall not cost a count.
  const leastOdds = minimumOdds === ODDS_ONE ? undefined : minimumOdds;
  const filters = [
    ...sharedConditions({ ...request, wagerIds }),
    ...given(userIds, (ids) => Prisma.sql`listed.requesting_user_id = ANY(${ids}::bigint[])`),
    ...given(leastOdds, (odds) => Prisma.sql`listed.requesting_odds >= ${odds}`),
    ...given(maximumOdds, (odds) => Prisma.sql`listed.requesting_odds <= ${odds}`),
    ...given(minimumAmount, (amount) => Prisma.sql`listed.requesting_amount >= ${amount}`),
    ...given(maximumAmount, (amount) => Prisma.sql`listed.requesting_amount <= ${amount}`),
  ];
  const conditions = isPlain ? filters : [...filters, Prisma.sql`listed.wager_id NOT IN (${settlingWagers(request)})`];
  const totals = filters.length === 0 ? keptTotals(request, isPlain) : countedTotals(request, conditions);
  return {
    ...shown,
    accountIds,
    stretches: [plainStretch(openSortColumns[request.sortBy], bets, [isOpen, ...conditions])],
    isNarrow: wagerIds !== undefined || userIds !== undefined,
    order: { descending: request.descending },
    offset: request.offset,
    limit: request.limit,
    totals: Prisma.sql`SELECT totals.total, totals.amount::text, EXISTS (${settlingWagers(request)}) AS "isSettling"
      FROM (${totals}) AS totals`,
  };
}

export interface OpenBets {
  readonly bets: readonly Bet[];
  readonly total: number;
  readonly totalRequestingAmount: bigint;
}

/**
 * An offer of a decided wager is as good as expired, also while the worker is not there yet. The indexes that hold the
 * orders do not know of wagers, so only when one is settling, which the list itself tells, it is read without its offers.
 */
export async function listOpenBets(database: Database, request: OpenBetsRequest): Promise<OpenBets> {
  const read = async (isPlain: boolean) =>
    readList<Bet, OpenTotals>(database, await openQuery(database, request, { isPlain }));
  const plain = await read(true);
  const { rows, totals } = plain.totals.isSettling ? await read(false) : plain;
  return { bets: rows, total: Number(totals.total), totalRequestingAmount: BigInt(totals.amount) };
}

/**
 * Sorted by what only accepted bets have, a list is two stretches: first those that have it, then the others by id. All
 * of those have no acceptor either, so the index by acceptor holds them in the order of their ids.
 */
function historyStretches({ sortBy }: HistoryRequest, from: Prisma.Sql, conditions: Conditions): Stretch[] {
  if (sortBy === 'created_at') return [plainStretch(Prisma.sql`listed.created_at`, from, conditions)];
  const column = sortBy === 'effective_odds' ? Prisma.sql`listed.effective_odds` : Prisma.sql`listed.effective_amount`;
  return [
    plainStretch(column, from, [Prisma.sql`${column} IS NOT NULL`, ...conditions]),
    {
      from,
      conditions: [Prisma.sql`listed.accepting_user_id IS NULL`, ...conditions],
      orderedBy: Prisma.sql`listed.accepting_user_id`,
      sortKey: Prisma.sql`NULL::bigint`,
    },
  ];
}

interface HistoryTotals {
  readonly total: bigint;
}

function historyTotals({ accountIds }: HistoryRequest, from: Prisma.Sql, conditions: Conditions): Prisma.Sql {
  return conditions.length === 0
    ? Prisma.sql`SELECT coalesce(sum(bets), 0)::bigint AS total FROM ledger_totals listed WHERE ${inAccounts(accountIds)}`
    : Prisma.sql`SELECT count(*) AS total FROM ${from}
        WHERE ${Prisma.join([inAccounts(accountIds), ...conditions], ' AND ')}`;
}

async function historyQuery(database: Queryable, request: HistoryRequest): Promise<ListQuery> {
  const { accountIds, outcomes } = request;
  const wagerIds = await wagerIdsOf(database, accountIds, request.wagerReferences);
  const userIds = await userIdsOf(database, accountIds, { ids: request.userIds, references: request.userReferences });
  const from = outcomes === undefined ? bets : betsAndWagers;
  const conditions = [
    ...sharedConditions({ ...request, wagerIds }),
    ...given(
      userIds,
      (ids) => Prisma.sql`(listed.requesting_user_id = ANY(${ids}::bigint[])
        OR listed.accepting_user_id = ANY(${ids}::bigint[]))`,
    ),
    // An override of `undecided` is one too: it hides the wager's outcome.
    ...given(
      outcomes,
      (all) => Prisma.sql`(listed.override_outcome = ANY(${all}::text[])
        OR (listed.override_outcome IS NULL AND wager.outcome = ANY(${all}::text[])))`,
    ),
  ];
  return {
    ...shown,
    accountIds,
    stretches: historyStretches(request, from, conditions),
    isNarrow: wagerIds !== undefined || userIds !== undefined,
    order: { descending: request.descending },
    offset: request.offset,
    limit: request.limit,
    totals: historyTotals(request, from, conditions),
  };
}

export interface History {
  readonly bets: readonly BetWithTrails[];
  readonly total: number;
}

export async function listHistory(database: Database, request: HistoryRequest): Promise<History> {
  const query = await historyQuery(database, request);
  const historyOf = async (list: List<Bet, HistoryTotals>, snapshot: Queryable): Promise<History> => ({
    bets: await withTrails(snapshot, list.rows, request.trails),
    total: Number(list.totals.total),
  });
  if (request.trails === 'none') return historyOf(await readList(database, query), database);
  return withTx(database, async (snapshot) => historyOf(await readListIn(snapshot, query), snapshot), 'RepeatableRead');
}
