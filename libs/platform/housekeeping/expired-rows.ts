import { Prisma, type Queryable } from '#platform/database/database.js';

/** Which rows a batch takes: the oldest that end before `before`, not more than `limit`. */
export interface ExpiredRows {
  readonly before: Date;
  readonly limit: number;
  /**
   * Where the batch before it ended. Deleted rows stay in the index until a vacuum, and a search that begins at the oldest
   * passes all of them: without this, each batch would take longer than the one before.
   */
  readonly from?: Date | undefined;
}

export interface DeletedRows {
  readonly count: number;
  /** The time of the newest deleted row; undefined when there was none. */
  readonly upTo: Date | undefined;
}

/** A table of rows with an end, and the time column, which must have an index. */
export interface ExpiringTable {
  readonly table: string;
  readonly column: string;
}

/** Deletes one batch of rows. It takes the same time however many rows are left. */
export async function deleteExpiredRows(
  database: Queryable,
  { table, column }: ExpiringTable,
  { before, limit, from }: ExpiredRows,
): Promise<DeletedRows> {
  const [rows, time] = [Prisma.raw(`"${table}"`), Prisma.raw(`"${column}"`)];
  const start = from === undefined ? Prisma.empty : Prisma.sql`AND ${time} >= ${from}`;
  // The time is asked twice: a row that another transaction has just renewed, as a reset code, must stay.
  const [deleted] = await database.$queryRaw<[{ count: number; upTo: Date | null }]>`
    WITH deleted AS (
      DELETE FROM ${rows} WHERE ${time} < ${before} AND ctid = ANY (ARRAY(
        SELECT ctid FROM ${rows} WHERE ${time} < ${before} ${start} ORDER BY ${time} LIMIT ${limit}))
      RETURNING ${time} AS time)
    SELECT count(*)::int AS count, max(time) AS "upTo" FROM deleted`;
  return { count: deleted.count, upTo: deleted.upTo ?? undefined };
}
