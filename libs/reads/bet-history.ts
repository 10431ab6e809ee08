import { type Database, Prisma, type Queryable, withTx } from '#platform/database/database.js';
import type { Bet, BetWithTrails, HistoryRequest } from './bet.js';
import { given, listedBets, sharedConditions, shownBets } from './bet-conditions.js';
import { withTrails } from './bet-trails.js';
import {
  countOf,
  inAccounts,
  type List,
  type ListQuery,
  readList,
  readListIn,
  type SortedPart,
  sortedBy,
  type TotalRow,
} from './list-reader.js';
import { userIdsOf, wagerIdsOf } from './named-ids.js';

type Conditions = readonly Prisma.Sql[];

const betsAndWagers = Prisma.sql`bets listed
  JOIN wagers wager ON wager.account_id = listed.account_id AND wager.id = listed.wager_id`;

/**
 * Only accepted bets have effective odds and an effective amount. A list sorted by one of them has two parts: the bets
 * that have it, then the others by id. None of the others has an acceptor, so the index by acceptor holds them by id.
 */
function historyParts({ sortBy }: HistoryRequest, from: Prisma.Sql, conditions: Conditions): SortedPart[] {
  if (sortBy === 'created_at') return [sortedBy(Prisma.sql`listed.created_at`, from, conditions)];
  const column = sortBy === 'effective_odds' ? Prisma.sql`listed.effective_odds` : Prisma.sql`listed.effective_amount`;
  return [
    sortedBy(column, from, [Prisma.sql`${column} IS NOT NULL`, ...conditions]),
    {
      from,
      conditions: [Prisma.sql`listed.accepting_user_id IS NULL`, ...conditions],
      orderedBy: Prisma.sql`listed.accepting_user_id`,
      sortKey: Prisma.sql`NULL::bigint`,
    },
  ];
}

const maintainedTotals = ({ accountIds }: HistoryRequest): Prisma.Sql =>
  Prisma.sql`SELECT coalesce(sum(bets), 0)::bigint AS total FROM ledger_totals listed WHERE ${inAccounts(accountIds)}`;

async function historyQuery(database: Queryable, request: HistoryRequest): Promise<ListQuery> {
  const { accountIds, outcomes } = request;
  const wagerIds = await wagerIdsOf(database, accountIds, request.wagerReferences);
  const userIds = await userIdsOf(database, accountIds, { ids: request.userIds, references: request.userReferences });
  const from = outcomes === undefined ? listedBets : betsAndWagers;
  const conditions = [
    ...sharedConditions({ ...request, wagerIds }),
    ...given(
      userIds,
      (ids) => Prisma.sql`(listed.requesting_user_id = ANY(${ids}::bigint[])
        OR listed.accepting_user_id = ANY(${ids}::bigint[]))`,
    ),
    // An override of `undecided` counts as an override: it hides the wager's outcome.
    ...given(
      outcomes,
      (all) => Prisma.sql`(listed.override_outcome = ANY(${all}::text[])
        OR (listed.override_outcome IS NULL AND wager.outcome = ANY(${all}::text[])))`,
    ),
  ];
  return {
    ...shownBets,
    accountIds,
    parts: historyParts(request, from, conditions),
    isNarrow: wagerIds !== undefined || userIds !== undefined,
    order: { descending: request.descending },
    offset: request.offset,
    limit: request.limit,
    totals: conditions.length === 0 ? maintainedTotals(request) : countOf(from, accountIds, conditions),
  };
}

export interface History {
  readonly bets: readonly BetWithTrails[];
  readonly total: number;
}

export async function listHistory(database: Database, request: HistoryRequest): Promise<History> {
  const query = await historyQuery(database, request);
  const historyOf = async (list: List<Bet, TotalRow>, snapshot: Queryable): Promise<History> => ({
    bets: await withTrails(snapshot, list.items, request.trails),
    total: Number(list.totals.total),
  });
  if (request.trails === 'none') return historyOf(await readList(database, query), database);
  return withTx(database, async (snapshot) => historyOf(await readListIn(snapshot, query), snapshot), 'RepeatableRead');
}
