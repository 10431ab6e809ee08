import { Prisma, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { fillsSoon, type ListQuery } from './list-reader.js';

/** Free data of a business. */
export type Meta = Readonly<Record<string, unknown>>;
export type TextMeta = Readonly<Record<string, string>>;

/** A condition on rows with the alias `listed`, and whether few of them match. */
export interface MetaFilter {
  readonly condition: Prisma.Sql;
  readonly isNarrow: boolean;
}

/** So many matching rows are found by their keys. More are common: then the list passes its rows in their order. */
const FEW = 5_000;

interface LabelledTable {
  /** The rows have the alias `labelled`. */
  readonly ids: Prisma.Sql;
  /** Of a row of the list. Not `@>`: PostgreSQL would take that for rare, and collect all rows of a common text. */
  has(wanted: Prisma.Sql): Prisma.Sql;
}

const tables = {
  bets: {
    ids: Prisma.sql`SELECT labelled.id FROM bets labelled`,
    has: (wanted) => Prisma.sql`jsonb_contains(listed.meta, ${wanted})`,
  },
  movement_labels: {
    ids: Prisma.sql`SELECT labelled.transaction_id AS id FROM movement_labels labelled`,
    // No other transaction has a label. For an EXISTS, PostgreSQL would read all labels before the first row.
    has: (wanted) => Prisma.sql`(listed.transaction_source IN ('funding', 'withdrawal')
      AND (SELECT jsonb_contains(labelled.meta, ${wanted}) FROM movement_labels labelled
            WHERE labelled.account_id = listed.account_id AND labelled.transaction_id = listed.id))`,
  },
} satisfies Record<string, LabelledTable>;

export const isGiven = (meta: TextMeta | undefined): meta is TextMeta =>
  meta !== undefined && Object.keys(meta).length > 0;

/**
 * PostgreSQL cannot know how many rows have a text. A wrong guess would make it pass all rows of an account for the few that
 * match, or collect all that match for one page. So the first rows of the list without the filter are looked at, and where
 * they do not fill the page, the index of `meta` is asked, up to a bound; all in the snapshot of the list.
 */
export async function metaFilterOf(
  snapshot: Tx,
  table: keyof typeof tables,
  meta: TextMeta,
  all: ListQuery,
): Promise<MetaFilter> {
  const { ids: labelled, has } = tables[table];
  const wanted = Prisma.sql`${JSON.stringify(meta)}::jsonb`;
  const isCommon = { condition: has(wanted), isNarrow: false };
  if (await fillsSoon(snapshot, all, has(wanted))) return isCommon;
  const hasTexts = (accountId: bigint) => Prisma.sql`public.meta_texts(labelled.account_id, labelled.meta)
    @> public.meta_texts(${accountId}::bigint, ${wanted})`;
  await allowOtherScans(snapshot, false);
  const found = await queryRows<{ readonly id: bigint }>(
    snapshot,
    Prisma.sql`${labelled} WHERE labelled.account_id = ANY(${all.accountIds}::bigint[]) AND labelled.meta <> '{}'
        AND (${Prisma.join([Prisma.sql`FALSE`, ...all.accountIds.map(hasTexts)], ' OR ')}) AND labelled.meta @> ${wanted}
      LIMIT ${Prisma.raw(String(FEW + 1))}`,
  );
  await allowOtherScans(snapshot, true);
  if (found.length > FEW) return isCommon;
  const ids = found.map(({ id }) => id);
  return { condition: Prisma.sql`listed.id = ANY((SELECT ${ids}::bigint[])::bigint[])`, isNarrow: true };
}

/** Than those of an index like that of `meta`. */
const allowOtherScans = (tx: Tx, isAllowed: boolean) => {
  const setting = isAllowed ? 'on' : 'off';
  return queryRows(
    tx,
    Prisma.sql`SELECT set_config('enable_seqscan', ${setting}, true), set_config('enable_indexscan', ${setting}, true)`,
  );
};
