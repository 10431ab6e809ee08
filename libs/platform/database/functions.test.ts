import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { applyMigrations, pendingMigrations } from './migrations.js';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  await database?.drop();
});

/** The functions of the ledger, with the texts of those that triggers call. */
const functions = () =>
  database.query(`
    SELECT p.oid::regprocedure::text AS name, pg_get_functiondef(p.oid) AS text FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND p.prolang IN (SELECT oid FROM pg_language WHERE lanname IN ('sql', 'plpgsql'))
     ORDER BY 1`);

it('are made again when they are others than prisma/functions says, without those that it has no longer', async () => {
  const before = await functions();
  expect(before.length).toBeGreaterThan(15);
  expect(await pendingMigrations(database.url)).toEqual([]);
  const mark = `'Made from prisma/functions: of an earlier version'`;
  await database.query(`
    DROP FUNCTION take_totals_shard;
    CREATE FUNCTION take_totals_shard(shards int) RETURNS int LANGUAGE sql AS 'SELECT shards';
    CREATE TYPE gone_row AS (id bigint);
    CREATE FUNCTION gone(rows gone_row[]) RETURNS int LANGUAGE sql AS 'SELECT 1';
    COMMENT ON FUNCTION take_totals_shard IS ${mark};
    COMMENT ON FUNCTION gone IS ${mark};
    COMMENT ON TYPE gone_row IS ${mark};`);
  expect(await pendingMigrations(database.url)).toEqual(['functions']);
  expect(await applyMigrations(database.url)).toEqual(['functions']);
  expect(await functions()).toEqual(before);
  expect(await database.query(`SELECT to_regtype('gone_row') AS type`)).toEqual([{ type: null }]);
  expect(await applyMigrations(database.url)).toEqual([]);
});

it('do not come to a database that is older than the first migration, which is left as it is', async () => {
  await database.query(`UPDATE _prisma_migrations SET migration_name = '20261120000000_ledger'`);
  const before = await functions();
  await expect(applyMigrations(database.url)).rejects.toThrow(
    'The database has migrations from before 20261127000000_baseline',
  );
  expect(await functions()).toEqual(before);
});
