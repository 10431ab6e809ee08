import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { COORDINATOR_TABLES } from './distribute.js';

// Checks by the catalogue that the tables can be distributed by account, and that docs/scaling.md says what becomes of each.

const page = readFileSync(fileURLToPath(new URL('../../../../docs/scaling.md', import.meta.url)), 'utf8');

/** Tables that belong to no account. */
const SHARED_TABLES = ['accounts', 'worker_heartbeats', '_prisma_migrations'];
/** Unique over all accounts, so its table cannot be distributed. */
const UNIQUE_EVERYWHERE = ['accounts_email_key'];

interface Key {
  readonly table: string;
  readonly name: string;
  readonly kind: 'p' | 'u' | 'f' | 'index' | 'x';
  readonly columns: readonly string[];
  /** Of a foreign key. */
  readonly target: string | null;
  readonly targetColumns: readonly string[] | null;
}

let database: TestDatabase;
let tables: readonly string[];
let keys: readonly Key[];

beforeAll(async () => {
  database = await createTestDatabase();
  const rows = await database.query(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`);
  tables = rows.map(({ name }) => String(name));
  keys = (await database.query(`
    SELECT c.conrelid::regclass::text AS "table", c.conname AS name, c.contype AS kind,
           ARRAY(SELECT attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k (number, place)
                   JOIN pg_attribute ON attrelid = c.conrelid AND attnum = k.number ORDER BY k.place) AS columns,
           nullif(c.confrelid, 0)::regclass::text AS target,
           ARRAY(SELECT attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k (number, place)
                   JOIN pg_attribute ON attrelid = c.confrelid AND attnum = k.number ORDER BY k.place) AS "targetColumns"
      FROM pg_constraint c
     WHERE c.contype IN ('p', 'u', 'f', 'x') AND c.connamespace = 'public'::regnamespace
    UNION ALL
    SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, 'index',
           ARRAY(SELECT pg_get_indexdef(i.indexrelid, place, true) FROM generate_series(1, i.indnkeyatts) AS place), NULL, NULL
      FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
     WHERE i.indisunique AND t.relnamespace = 'public'::regnamespace`)) as unknown as Key[];
});

afterAll(async () => {
  await database?.drop();
});

const isTenants = (table: string) => !SHARED_TABLES.includes(table);

/** Tables with one row for each account, and the column of its key. */
const keyOfAccount: Record<string, string> = {
  accounts: 'id',
  account_closings: 'account_id',
  event_indexes: 'account_id',
};

describe('the schema', () => {
  it('has the account in every table of a tenant, and in front of every key', async () => {
    const columns = await database.query(
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public'
          AND column_name = 'account_id' AND data_type = 'bigint' AND is_nullable = 'NO' ORDER BY 1`,
    );
    expect(columns.map(({ name }) => name)).toEqual(tables.filter(isTenants));
    const own = keys.filter(({ table }) => isTenants(table));
    expect(own.length).toBeGreaterThan(40);
    // The coordinator has all operators: an e-mail is one of one account.
    const others = own.filter(({ columns: [first] }) => first !== 'account_id');
    expect(others.map(({ name }) => name)).toEqual(['operators_email_key']);
    expect(own.filter(({ kind }) => kind === 'x')).toEqual([]);
    for (const table of tables) expect(keys.filter((key) => key.table === table && key.kind === 'p')).toHaveLength(1);
  });

  it('keys accounts by their id, and has only one other key that is unique over all accounts', () => {
    const accounts = keys.filter(({ table }) => table === 'accounts');
    const others = accounts.filter(({ columns: [first] }) => first !== 'id');
    expect(others.map(({ name }) => name)).toEqual(UNIQUE_EVERYWHERE);
    for (const name of UNIQUE_EVERYWHERE) expect(page).toContain(`\`${name}\``);
  });

  it('refers from account to the same account, or to the account itself', () => {
    const foreign = keys.filter(({ kind }) => kind === 'f');
    expect(foreign.length).toBeGreaterThan(10);
    for (const { name, target, columns, targetColumns } of foreign) {
      const ofAccount = keyOfAccount[target as string];
      const wanted = ofAccount ? [['account_id'], [ofAccount]] : [columns, ['account_id', 'id']];
      expect([name, columns, targetColumns]).toEqual([name, ...wanted]);
    }
  });
});

describe('docs/scaling.md', () => {
  it('names the tables that stay on the coordinator, which are there', () => {
    for (const table of [...SHARED_TABLES, ...COORDINATOR_TABLES]) {
      expect(tables).toContain(table);
      expect(page).toContain(`\`${table}\``);
    }
  });

  it('says which foreign keys go: those between a table that is distributed and one that is not', () => {
    const isLocal = (table: string) => [...SHARED_TABLES, ...COORDINATOR_TABLES].some((local) => local === table);
    const lost = keys.filter(({ kind, table, target }) => kind === 'f' && isLocal(table) !== isLocal(target as string));
    expect(new Set(lost.map(({ target }) => target))).toEqual(new Set(['accounts']));
    for (const { table } of lost) expect(page).toContain(`\`${table}\``);
  });

  it('comes with notes on every trigger, and on sequences, which draw bigints', async () => {
    const triggers = await database.query('SELECT DISTINCT tgname AS name FROM pg_trigger WHERE NOT tgisinternal');
    for (const { name } of triggers) expect(page).toContain(`\`${name}\``);
    const sequences = await database.query(`SELECT data_type AS type FROM pg_sequences WHERE schemaname = 'public'`);
    expect(new Set(sequences.map(({ type }) => String(type)))).toEqual(new Set(['bigint']));
  });
});
