import { Prisma, type Tables, withTx } from './database.js';

/** Which rows a batch takes: the oldest that ended so long ago by the clock of PostgreSQL, not more than `limit`. */
export interface ExpiredRows {
  readonly endedForMs: number;
  readonly limit: number;
  /**
   * Where the batch before it ended. Deleted rows stay in the index until a vacuum, and a search that begins at the oldest
   * passes all of them: without this, each batch would take longer than the one before.
   */
  readonly from?: Date | undefined;
  readonly timeoutMs?: number;
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

/** Below the statement time-out: a batch that waits for a lock does not hold its connection for long. */
const TIMEOUT_MS = 3_000;

/**
 * The planner may not read or sort the whole table: without fresh statistics it takes a batch for most of the rows. The
 * index on the time then is the only way, and a batch takes the same time however many rows are left.
 */
export const indexOnly = (timeoutMs: number) => Prisma.sql`
  SELECT set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('enable_seqscan', 'off', true),
         set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true)`;

/**
 * The time is asked twice: a row that another transaction has just renewed, as a reset code, must stay. `IS TRUE` keeps the
 * outer condition from the index: PostgreSQL would compare each row of a long range with each of the row addresses.
 */
export function deletionOf(rows: Prisma.Sql, column: string, { endedForMs, limit, from }: ExpiredRows): Prisma.Sql {
  const time = Prisma.raw(`"${column}"`);
  const before = Prisma.sql`now() - ${endedForMs} * interval '1 ms'`;
  const start = from === undefined ? Prisma.empty : Prisma.sql`AND ${time} >= ${from}`;
  return Prisma.sql`
    WITH deleted AS (
      DELETE FROM ${rows} WHERE (${time} < ${before}) IS TRUE AND ctid = ANY (ARRAY(
        SELECT ctid FROM ${rows} WHERE ${time} < ${before} ${start} ORDER BY ${time} LIMIT ${limit}))
      RETURNING ${time} AS time)
    SELECT count(*)::int AS count, max(time) AS "upTo" FROM deleted`;
}

/** Deletes one batch of rows, in a transaction of its own. */
export async function deleteExpiredRows(
  tables: Tables,
  { table, column }: ExpiringTable,
  rows: ExpiredRows,
): Promise<DeletedRows> {
  const relation = tables.relation(table);
  const [deleted] = await withTx(tables, async (tx) => {
    await tx.$queryRaw(indexOnly(rows.timeoutMs ?? TIMEOUT_MS));
    return tx.$queryRaw<[{ count: number; upTo: Date | null }]>(deletionOf(relation, column, rows));
  });
  return { count: deleted.count, upTo: deleted.upTo ?? undefined };
}
