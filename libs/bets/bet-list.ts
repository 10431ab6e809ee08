import { ODDS_ONE } from '#core/money.js';
import { type Database, Prisma, type Queryable, withTransaction } from '#database/database.js';
import { inAccounts, type List, type ListQuery, readList, readListIn, type Stretch } from '#lists/list-reader.js';
import { userIdsOf, wagerIdsOf } from '#lists/named-ids.js';
import type { Bet, BetWithTrails, HistoryRequest, OpenBetsRequest } from './bet.js';
import { betColumns, betSurroundings, withTrails } from './bet-repository.js';

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
}

function openTotals({ accountIds }: OpenBetsRequest, conditions: Conditions): Prisma.Sql {
  return conditions.length === 0
    ? Prisma.sql`SELECT coalesce(sum(open_bets), 0)::bigint AS total, coalesce(sum(open_amount), 0)::text AS amount
        FROM ledger_totals listed WHERE ${inAccounts(accountIds)}`
    : Prisma.sql`SELECT count(*) AS total, coalesce(sum(listed.requesting_amount), 0)::text AS amount
        FROM bets listed WHERE ${Prisma.join([inAccounts(accountIds), isOpen, ...conditions], ' AND ')}`;
}

async function openQuery(database: Queryable, request: OpenBetsRequest): Promise<ListQuery> {
  const { accountIds, minimumOdds, maximumOdds, minimumAmount, maximumAmount } = request;
  const wagerIds = await wagerIdsOf(database, accountIds, request.wagerReferences);
  const userIds = await userIdsOf(database, accountIds, { ids: request.userIds, references: request.userReferences });
  // No offer has odds below 1: the default filters nothing, and shall not cost a count.
  const leastOdds = minimumOdds === ODDS_ONE ? undefined : minimumOdds;
  const conditions = [
    ...sharedConditions({ ...request, wagerIds }),
    ...given(userIds, (ids) => Prisma.sql`listed.requesting_user_id = ANY(${ids}::bigint[])`),
    ...given(leastOdds, (odds) => Prisma.sql`listed.requesting_odds >= ${odds}`),
    ...given(maximumOdds, (odds) => Prisma.sql`listed.requesting_odds <= ${odds}`),
    ...given(minimumAmount, (amount) => Prisma.sql`listed.requesting_amount >= ${amount}`),
    ...given(maximumAmount, (amount) => Prisma.sql`listed.requesting_amount <= ${amount}`),
  ];
  return {
    ...shown,
    accountIds,
    stretches: [plainStretch(openSortColumns[request.sortBy], bets, [isOpen, ...conditions])],
    isNarrow: wagerIds !== undefined || userIds !== undefined,
    order: { descending: request.descending },
    offset: request.offset,
    limit: request.limit,
    totals: openTotals(request, conditions),
  };
}

export interface OpenBets {
  readonly bets: readonly Bet[];
  readonly total: number;
  readonly totalRequestingAmount: bigint;
}

export async function listOpenBets(database: Database, request: OpenBetsRequest): Promise<OpenBets> {
  const { rows, totals } = await readList<Bet, OpenTotals>(database, await openQuery(database, request));
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
  return withTransaction(
    database,
    async (snapshot) => historyOf(await readListIn(snapshot, query), snapshot),
    'RepeatableRead',
  );
}
