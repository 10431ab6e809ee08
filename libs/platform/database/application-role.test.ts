import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { runOnce } from '#testing/databases.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { startTestApi } from '#testing/parts.js';
import { admitApplication } from './migrations.js';

let environment: TestEnvironment;
/** With the role of the parts. */
let part: pg.Client;
let tables: string[];

const FORBIDDEN = '42501';

beforeAll(async () => {
  environment = await createTestEnvironment();
  part = new pg.Client({ connectionString: environment.addresses.DATABASE_URL });
  await part.connect();
  const rows = await environment.database.query(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  tables = rows.map(({ name }) => String(name));
});

afterAll(async () => {
  await part?.end();
  await environment?.close();
});

describe('the role of the parts', () => {
  it('reads and writes the rows of every table, and may do nothing else to one', async () => {
    expect(tables.length).toBeGreaterThan(25);
    const { rows } = await part.query(
      `SELECT t AS name, array_agg(p ORDER BY p) AS may FROM unnest($1::text[]) t,
              unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER,MAINTAIN}'::text[]) p
        WHERE p <> 'MAINTAIN' AND has_table_privilege(format('%I', t), p) GROUP BY t ORDER BY t`,
      [tables],
    );
    const all = ['DELETE', 'INSERT', 'SELECT', 'UPDATE'];
    expect(rows).toEqual(tables.map((name) => ({ name, may: name === '_prisma_migrations' ? ['SELECT'] : all })));
  });

  it('can remove, disable or go round no trigger that guards history', async () => {
    const triggers = await environment.database.query(
      `SELECT tgname AS name, tgrelid::regclass::text AS of, proname AS function FROM pg_trigger t
         JOIN pg_proc p ON p.oid = tgfoid WHERE NOT tgisinternal`,
    );
    expect(triggers.length).toBeGreaterThan(15);
    const attempts = triggers.flatMap(({ name, of, function: called }) => [
      `DROP TRIGGER ${name} ON ${of}`,
      `ALTER TABLE ${of} DISABLE TRIGGER ${name}`,
      `DROP FUNCTION ${called}() CASCADE`,
      `CREATE OR REPLACE FUNCTION ${called}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'`,
    ]);
    for (const sql of attempts) await expect(part.query(sql)).rejects.toMatchObject({ code: FORBIDDEN });
  });

  it.each([
    `SET session_replication_role = 'replica'`,
    'CREATE TABLE own (id bigint)',
    `COPY accounts TO PROGRAM 'cat'`,
    `SELECT pg_read_file('postgresql.conf')`,
    'CREATE ROLE other SUPERUSER',
    'ALTER ROLE CURRENT_USER SUPERUSER',
  ])('is refused %s', async (sql) => {
    await expect(part.query(sql)).rejects.toMatchObject({ code: FORBIDDEN });
  });

  it('can empty or drop no table, nor become the owner', async () => {
    const [owner] = await environment.database.query('SELECT quote_ident(current_user) AS name');
    const attempts = tables.flatMap((table) => [`TRUNCATE ${table} CASCADE`, `DROP TABLE ${table}`]);
    for (const sql of [...attempts, `SET ROLE ${owner?.name}`]) {
      await expect(part.query(sql)).rejects.toMatchObject({ code: FORBIDDEN });
    }
  });

  it('is made where it is missing, and gets new tables with the next migration', async () => {
    const role = `ledger_app_${randomBytes(8).toString('hex')}`;
    const url = new URL(environment.database.url);
    Object.assign(url, { username: role, password: 'a%20password' });
    const query = (sql: string) => runOnce(url.href, sql);
    try {
      await admitApplication(environment.database.url, url.href);
      await environment.database.query('CREATE TABLE later (id bigint)');
      await expect(query('SELECT FROM later')).rejects.toMatchObject({ code: FORBIDDEN });
      await admitApplication(environment.database.url, url.href);
      expect(await query('SELECT FROM later')).toEqual([]);
    } finally {
      await environment.database.query(`DROP TABLE later; DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });

  it('is not the owner of the tables, and no superuser', async () => {
    const { url } = environment.database;
    await expect(admitApplication(url, url)).rejects.toThrow(/must not be a superuser, nor own the tables/);
    const nobody = new URL(url);
    Object.assign(nobody, { username: '', password: '' });
    await expect(admitApplication(url, nobody.href)).rejects.toThrow('DATABASE_URL names no role');
  });

  it('is missed by a part that is started with the role of the owner', async () => {
    const warnings = () => environment.logLines.filter((line) => line.includes('owns the tables'));
    await (await startTestApi(environment)).close();
    expect(warnings()).toEqual([]);
    await (await startTestApi(environment, { DATABASE_URL: environment.database.url })).close();
    expect(warnings().map((line) => JSON.parse(line).level)).toEqual(['warn']);
  });
});
