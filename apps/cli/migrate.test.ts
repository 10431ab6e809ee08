import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { runCli } from '#testing/run-cli.js';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  await database?.drop();
});

async function run(command: string, ...args: string[]) {
  const { code, stdout, stderr } = await runCli(command, args, { DATABASE_URL: database.url, DATA_DIR: '/somewhere' });
  return { code, output: stdout + stderr };
}

/** As a release with this edition of the functions leaves the database. */
const giveEdition = (edition: number) =>
  database.query(`
    CREATE OR REPLACE FUNCTION take_totals_shard() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN -1; END';
    COMMENT ON FUNCTION take_totals_shard IS
      'Made from prisma/functions, edition ${edition}, shape other, text other'`);

const bodyOf = async () =>
  (await database.query(`SELECT prosrc FROM pg_proc WHERE oid = 'take_totals_shard'::regproc`))[0]?.prosrc;

describe('migrate', () => {
  it('brings functions of an earlier release up to date, and not those of a later one without being told to', async () => {
    expect(await run('migrate')).toEqual({ code: 0, output: 'The database is up to date.\n' });
    await giveEdition(0);
    const earlier = 'The database has the functions of an earlier release: run `npm run migrate` first';
    expect(await run('audit')).toMatchObject({ code: 2, output: expect.stringContaining(earlier) });
    expect(await run('migrate')).toMatchObject({ code: 0, output: expect.stringContaining('Applied: functions.') });
    expect(await bodyOf()).not.toContain('-1');

    await giveEdition(999_999);
    const refused = await run('migrate');
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('functions of a later release') });
    expect(refused.output).toContain('npm run migrate -- --functions');
    expect(await run('audit')).toEqual({ code: 2, output: refused.output });
    expect(await bodyOf()).toContain('-1');
    expect((await run('migrate', '--functions')).code).toBe(0);
    expect(await bodyOf()).not.toContain('-1');
  });

  it('says how it is called', async () => {
    expect(await run('migrate', '--function')).toEqual({
      code: 1,
      output: 'Usage: npm run migrate [-- --functions]\n',
    });
  });
});
