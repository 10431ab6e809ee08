import { type AccountTables, type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import type { BetWithTrails, HistoryRequest, ShownBet } from './bet.js';
import { byTime, given, isClosed, isOpenSql, listedBets, sharedConditions, shownBets } from './bet-conditions.js';
import { withTrails } from './bet-trails.js';
import { type NamedIds, namedIdsOf } from './ids-by-reference.js';
import {
  countOfParts,
  inAccounts,
  isOneOf,
  type ListQuery,
  readList,
  readListIn,
  type SortedPart,
  sortedBy,
  type TotalRow,
} from './list-reader.js';
import { readMerged, sumOfTotals } from './merged-list.js';
import { isGiven, type MetaFilter, metaFilterOf } from './meta-filter.js';
import type { List } from './page.js';

interface PartConditions {
  readonly open: readonly Prisma.Sql[];
  /** Of each part of the other bets. */
  readonly closed: readonly (readonly Prisma.Sql[])[];
}

const betsAndWagers = Prisma.sql`bets listed
  JOIN wagers wager ON wager.account_id = listed.account_id AND wager.id = listed.wager_id`;

/**
 * Open offers and all other bets have indexes of their own, so they are parts of the list. Only accepted bets have effective
 * odds and an effective amount: sorted by one of them, the open offers are the end of the list, by id.
 */
function historyParts({ sortBy }: HistoryRequest, from: Prisma.Sql, { open, closed }: PartConditions): SortedPart[] {
  if (sortBy === 'created_at') {
    return [open, ...closed].map((conditions) => sortedBy(byTime, from, conditions));
  }
  const column = sortBy === 'effective_odds' ? Prisma.sql`listed.effective_odds` : Prisma.sql`listed.effective_amount`;
  // Not the column itself: in the order of the key PostgreSQL would pass all closed bets to find the open ones.
  const id = Prisma.sql`(listed.id + 0)`;
  return [
    ...closed.map(
      (conditions): SortedPart => ({
        ...sortedBy({ column, keyType: 'bigint' }, from, conditions),
        missingKeys: 'some',
      }),
    ),
    { from, conditions: open, orderedBy: id, keyType: 'bigint', missingKeys: 'all', sortKey: Prisma.sql`NULL::bigint` },
  ];
}

const maintainedTotals = ({ accountIds }: HistoryRequest): Prisma.Sql =>
  Prisma.sql`SELECT coalesce(sum(bets), 0)::bigint AS total FROM ledger_totals listed WHERE ${inAccounts(accountIds)}`;

/**
 * What users offered and what they accepted have indexes of their own too. Each is a part: for a condition with OR, PostgreSQL
 * may read all closed bets of the account, where its statistics are from before most of them were closed.
 */
function conditionsOf(filters: readonly Prisma.Sql[], userIds: readonly bigint[] | undefined): PartConditions {
  const open = [isOpenSql, ...filters];
  const closed = [isClosed, ...filters];
  if (userIds === undefined) return { open, closed: [closed] };
  const isRequester = isOneOf(Prisma.sql`listed.requesting_user_id`, userIds);
  const isAcceptor = isOneOf(Prisma.sql`listed.accepting_user_id`, userIds);
  return {
    open: [...open, isRequester],
    closed: [
      [...closed, isRequester],
      [...closed, Prisma.sql`listed.accepting_user_id IS NOT NULL`, isAcceptor, Prisma.sql`NOT (${isRequester})`],
    ],
  };
}

function historyQuery(request: HistoryRequest, { userIds, wagerIds }: NamedIds, byMeta?: MetaFilter): ListQuery {
  const { accountIds, outcomes, minimumAmount } = request;
  const from = outcomes === undefined ? listedBets : betsAndWagers;
  const filters = [
    ...sharedConditions({ ...request, wagerIds, byMeta }),
    ...given(
      minimumAmount,
      (least) => Prisma.sql`coalesce(listed.effective_amount, listed.requesting_amount) >= ${least}::bigint`,
    ),
    // An override of `undecided` counts as an override: it hides the wager's outcome.
    ...given(
      outcomes,
      (all) => Prisma.sql`(listed.override_outcome = ANY(${all}::text[])
        OR (listed.override_outcome IS NULL AND wager.outcome = ANY(${all}::text[])))`,
    ),
  ];
  const parts = historyParts(request, from, conditionsOf(filters, userIds));
  const isFiltered = filters.length > 0 || userIds !== undefined;
  const totals = isFiltered ? countOfParts(accountIds, parts) : maintainedTotals(request);
  return {
    accountIds,
    ...shownBets,
    parts,
    isNarrow: wagerIds !== undefined || userIds !== undefined || byMeta?.isNarrow === true,
    order: { descending: request.descending },
    page: request.page,
    totals: request.page.withTotals ? totals : undefined,
  };
}

type History = List<BetWithTrails, TotalRow>;

const sortKeys = {
  created_at: ({ createdAt }: ShownBet) => createdAt,
  effective_odds: ({ effectiveOdds }: ShownBet) => effectiveOdds,
  effective_amount: ({ effectiveAmount }: ShownBet) => effectiveAmount,
} satisfies Record<HistoryRequest['sortBy'], (bet: ShownBet) => Date | bigint | null>;

export function listHistory(database: Database, request: HistoryRequest): Promise<History> {
  return readMerged(database, request, readHistory, {
    rowOf: ({ bet }) => ({ id: bet.id, sortKey: sortKeys[request.sortBy](bet) }),
    sumOf: sumOfTotals,
  });
}

async function readHistory(tables: AccountTables, request: HistoryRequest): Promise<History> {
  const { meta, trails } = request;
  const historyOf = async (list: List<ShownBet, TotalRow>, snapshot: AccountTables | Tx): Promise<History> => ({
    ...list,
    items: await withTrails(snapshot, list.items, trails),
  });
  const namedIn = (source: AccountTables | Tx) => namedIdsOf(source, request.accountIds, request);
  if (trails === 'none' && !isGiven(meta)) {
    return historyOf(await readList(tables, historyQuery(request, await namedIn(tables))), tables);
  }
  return withTx(
    tables,
    async (snapshot) => {
      const named = await namedIn(snapshot);
      const byMeta = isGiven(meta)
        ? await metaFilterOf(snapshot, 'bets', meta, historyQuery(request, named))
        : undefined;
      return historyOf(await readListIn(snapshot, historyQuery(request, named, byMeta)), snapshot);
    },
    'RepeatableRead',
  );
}
