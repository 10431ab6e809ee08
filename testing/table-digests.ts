import type { TestDatabase } from './databases.js';

/** The row count and a hash of each table: equal digests mean equal rows. */
export type TableDigests = Readonly<Record<string, string>>;

export interface DigestOptions {
  /** Only rows of this account. */
  readonly accountId?: number;
  readonly without?: readonly string[];
}

type Queryable = Pick<TestDatabase, 'query'>;

/** Tables of no account: the migrations, and the heartbeats of workers, which change at any time. */
const OF_NO_ACCOUNT = '{_prisma_migrations,worker_heartbeats}';

/** Covers every table of accounts, and all columns except those that change at any time. */
export async function createDigester(
  database: Queryable,
  { accountId, without = [] }: DigestOptions = {},
): Promise<() => Promise<TableDigests>> {
  const tables = await database.query(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ('${OF_NO_ACCOUNT}') ORDER BY 1`,
  );
  const scope = (name: string) =>
    accountId === undefined ? 'TRUE' : `${name === 'accounts' ? 'id' : 'account_id'} = ${accountId}`;
  const each = tables
    .map(({ name }) => String(name))
    .filter((name) => !without.includes(name))
    .map(
      // A sum: the order of the rows does not matter.
      (name) => `SELECT '${name}' AS name, count(*) || ' rows ' ||
          coalesce(sum(hashtextextended((to_jsonb(row) - 'relayed_at' - 'last_used_at')::text, 0)), 0) AS digest
        FROM ${name} AS row WHERE ${scope(name)}`,
    );
  const sql = each.join(' UNION ALL ');
  return async () => {
    const rows = await database.query(sql);
    return Object.fromEntries(rows.map(({ name, digest }) => [String(name), String(digest)]));
  };
}
