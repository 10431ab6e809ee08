import { Prisma } from '#platform/database/database.js';
import { type CreatedWithin, createdWithin, isOneOf, type SortColumn } from './list-reader.js';
import type { MetaFilter } from './meta-filter.js';
import { betJoins, shownBetColumns } from './read-bet.js';

// The parts that lists and books of bets share.

export const byTime: SortColumn = { column: Prisma.sql`listed.created_at`, keyType: 'timestamptz' };

export const listedBets = Prisma.sql`bets listed`;

/** Word for word the conditions of the partial indexes: PostgreSQL does not use them for any other. */
export const isOpenSql = Prisma.sql`listed.offer_status = 'requesting' AND listed.is_active`;
export const isClosed = Prisma.sql`NOT (${isOpenSql})`;

export const shownBets = {
  columns: shownBetColumns,
  freeColumns: ['meta'],
  joined: Prisma.sql`JOIN bets b ON b.account_id = page.account_id AND b.id = page.id ${betJoins}`,
};

export const given = <Value>(value: Value | undefined, condition: (value: Value) => Prisma.Sql): Prisma.Sql[] =>
  value === undefined ? [] : [condition(value)];

interface SharedFilters extends CreatedWithin {
  readonly wagerIds: readonly bigint[] | undefined;
  readonly byMeta?: MetaFilter | undefined;
}

export const sharedConditions = ({ wagerIds, byMeta, ...filters }: SharedFilters): Prisma.Sql[] => [
  ...given(wagerIds, (ids) => isOneOf(Prisma.sql`listed.wager_id`, ids)),
  ...createdWithin(filters),
  ...given(byMeta, ({ condition }) => condition),
];

// A cancel of many offers stores which the worker has still to cancel. They count as canceled from then on.

/** The pending cancels that the worker has not done yet. `inScope` is a condition on the account of `listed`. */
export const pendingCancels = (inScope: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT listed.account_id, listed.id AS wager_id, cancel.*
    FROM wagers listed
   CROSS JOIN LATERAL jsonb_to_recordset(listed.pending_cancels)
         AS cancel (position bigint, user_id bigint, minimum_odds bigint, maximum_odds bigint, queue_place bigint,
                    bet_id bigint, only_on_suspend boolean)
   WHERE ${inScope} AND listed.pending_cancels IS NOT NULL`;

/** Whether `cancel` cancels the bet `listed`. */
export const isCancelPending = Prisma.sql`listed.account_id = cancel.account_id AND listed.wager_id = cancel.wager_id
  AND (cancel.user_id IS NULL OR listed.requesting_user_id = cancel.user_id)
  AND (cancel.only_on_suspend IS NOT TRUE OR listed.cancel_on_suspend) AND greatest(listed.id, listed.spared_up_to) < cancel.position
  AND (listed.queue_place, listed.id) <= (cancel.queue_place, cancel.bet_id)
  AND (cancel.minimum_odds IS NULL OR listed.requesting_odds >= cancel.minimum_odds)
  AND (cancel.maximum_odds IS NULL OR listed.requesting_odds <= cancel.maximum_odds)`;
