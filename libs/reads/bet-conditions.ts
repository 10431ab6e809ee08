import { Prisma } from '#platform/database/database.js';
import { type CreatedWithin, createdWithin, isOneOf, type SortColumn } from './list-reader.js';
import type { MetaFilter } from './meta-filter.js';
import { betJoins, shownBetColumns } from './read-bet.js';

// The parts that the list of open bets and the history of bets share.

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
