import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { applyMigrations, readDatabaseState } from './migrations.js';

let database: TestDatabase;
let running: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  running = new pg.Client({ connectionString: database.url });
  await running.connect();
});

afterEach(async () => {
  await running?.end();
  await database?.drop();
});

/** The functions of the ledger, with the texts of those that triggers call. */
const functions = () =>
  database.query(`
    SELECT p.oid::regprocedure::text AS name, pg_get_functiondef(p.oid) AS text FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND p.prolang IN (SELECT oid FROM pg_language WHERE lanname IN ('sql', 'plpgsql'))
     ORDER BY 1`);

const stateOfFunctions = async () => (await readDatabaseState(database.url)).functions;

/** Changes what the comments of functions and types say. */
const remark = (from: string, to: string, names = '.') =>
  database.query(`
    DO $$ DECLARE item record; BEGIN
      FOR item IN
        SELECT 'FUNCTION ' || oid::regprocedure AS target, proname AS name, obj_description(oid, 'pg_proc') AS mark FROM pg_proc
         WHERE pronamespace = 'public'::regnamespace
        UNION ALL
        SELECT 'TYPE ' || oid::regtype, typname, obj_description(oid, 'pg_type') FROM pg_type
         WHERE typnamespace = 'public'::regnamespace
      LOOP
        CONTINUE WHEN item.mark IS NULL OR item.name !~ '${names}';
        EXECUTE format('COMMENT ON %s IS %L', item.target, nullif(regexp_replace(item.mark, '${from}', '${to}'), ''));
      END LOOP;
    END $$`);

/** A release whose function has another body and the same head. */
async function giveOtherBody(): Promise<void> {
  await database.query(
    `CREATE OR REPLACE FUNCTION take_totals_shard() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN -1; END'`,
  );
  await remark('text \\w+', 'text other', '^take_totals_shard$');
}

async function onRunning(name: 'shard' | 'bets'): Promise<unknown> {
  const texts = {
    shard: 'SELECT take_totals_shard() AS answer',
    bets: 'SELECT count(*)::int AS answer FROM load_bets($1::row_key[], NULL, NULL)',
  };
  const values = name === 'shard' ? [] : ['{"(1,2)"}'];
  return (await running.query({ name, text: texts[name], values })).rows[0].answer;
}

describe('functions that are others than prisma/functions says', () => {
  it('are replaced under connections that have prepared them, when only a body differs', async () => {
    const before = await functions();
    await giveOtherBody();
    expect([await onRunning('shard'), await onRunning('bets')]).toEqual([-1, 0]);
    expect(await stateOfFunctions()).toBe('earlier');
    const lines: string[] = [];
    expect(await applyMigrations(database.url, { report: (line) => lines.push(line) })).toEqual(['functions']);
    expect(lines).toEqual([]);
    expect(await onRunning('shard')).toBeGreaterThanOrEqual(0);
    expect(await onRunning('bets')).toBe(0);
    expect(await functions()).toEqual(before);
    expect(await applyMigrations(database.url)).toEqual([]);
  });

  it('are dropped alone, and this is said, when their parameters or results differ', async () => {
    const before = await functions();
    await database.query(`
      DROP FUNCTION take_totals_shard;
      CREATE FUNCTION take_totals_shard(shards int) RETURNS text LANGUAGE sql AS 'SELECT shards::text'`);
    expect(await onRunning('bets')).toBe(0);
    const lines: string[] = [];
    expect(await applyMigrations(database.url, { report: (line) => lines.push(line) })).toEqual(['functions']);
    expect(lines).toEqual([expect.stringContaining('must be started again')]);
    expect(await onRunning('bets')).toBe(0);
    expect(await functions()).toEqual(before);
  });

  it('are made again with their types, when one of these differs, without those that are there no longer', async () => {
    const before = await functions();
    await database.query(`
      CREATE TYPE gone_row AS (id bigint);
      CREATE FUNCTION gone(rows gone_row[]) RETURNS int LANGUAGE sql AS 'SELECT 1';
      COMMENT ON FUNCTION gone IS 'Made from prisma/functions, edition 1, shape other, text other';
      COMMENT ON TYPE gone_row IS 'Made from prisma/functions, edition 1, shape other, text other';`);
    await remark('shape \\w+', 'shape other');
    expect(await applyMigrations(database.url)).toEqual(['functions']);
    expect(await functions()).toEqual(before);
    expect(await database.query(`SELECT to_regtype('gone_row') AS type`)).toEqual([{ type: null }]);
    expect(await applyMigrations(database.url)).toEqual([]);
  });

  it('are known by their names, when the database was restored without comments', async () => {
    const before = await functions();
    await remark('.*', '');
    expect(await stateOfFunctions()).toBe('earlier');
    expect(await applyMigrations(database.url)).toEqual(['functions']);
    expect(await functions()).toEqual(before);
    expect(await stateOfFunctions()).toBe('current');
  });

  it('stay when they are of a later release, until the way back is asked for', async () => {
    await giveOtherBody();
    await remark('edition \\d+', 'edition 999999');
    const later = await functions();
    expect(await stateOfFunctions()).toBe('later');
    await expect(applyMigrations(database.url)).rejects.toThrow('The database has the functions of a later release');
    expect(await functions()).toEqual(later);
    expect(await applyMigrations(database.url, { replacesLater: true })).toEqual(['functions']);
    expect(await stateOfFunctions()).toBe('current');
  });

  it('are current when a later release left them as they are, and not when an earlier one had the same', async () => {
    await remark('edition \\d+', 'edition 999999');
    expect(await stateOfFunctions()).toBe('current');
    await remark('edition \\d+', 'edition 0');
    expect(await stateOfFunctions()).toBe('earlier');
    expect(await applyMigrations(database.url)).toEqual(['functions']);
    expect(await stateOfFunctions()).toBe('current');
  });

  it('do not come to a database that is older than the first migration, which is left as it is', async () => {
    await database.query(`UPDATE _prisma_migrations SET migration_name = '20261120000000_ledger'`);
    const before = await functions();
    await expect(applyMigrations(database.url)).rejects.toThrow(
      'The database has migrations from before 20261130000000_baseline',
    );
    expect(await functions()).toEqual(before);
  });
});
