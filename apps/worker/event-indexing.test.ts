import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventKinds } from '#core/records.js';
import { blockSizes, indexNextBlocks } from '#events/event-index.js';
import { openDatabase } from '#platform/database/database.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { startEventIndexing } from './event-indexing.js';

const ledger = useLedgerDatabase();
const [LONG, OTHER] = [1n, 2n];
const { small, large } = blockSizes;

/** While the work runs, the timer of a worker indexes. */
async function whileIndexing(work: () => Promise<unknown>, database = ledger.database): Promise<void> {
  const stopping = new AbortController();
  const { logger } = ledger.environment;
  const indexing = startEventIndexing({ database, logger, signal: stopping.signal });
  await work().finally(() => stopping.abort());
  await indexing.close();
}

const marksOf = async (accountId: bigint) => {
  const [marks] = await ledger.query(`
    SELECT indexed_seq::int AS indexed, merged_seq::int AS merged FROM event_indexes WHERE account_id = ${accountId}`);
  return marks;
};
const append = (accountId: bigint, events: bigint) =>
  ledger.query(`
    SELECT append_group(${accountId}, array_fill(${eventKinds['user.updated']}::smallint, ARRAY[1024]),
                        array_fill(1::bigint, ARRAY[1024]), '1024 worker -', NULL)
      FROM generate_series(1, ${events / 1_024n})`);

beforeAll(async () => {
  await append(LONG, large + 2n * small);
  await append(OTHER, small);
  await ledger.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no large block'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON event_index_pages FOR EACH ROW WHEN (NEW.level = 1) EXECUTE FUNCTION refuse()`);
});

describe('a worker', () => {
  it('indexes by small blocks while no large one can be made, and other logs as well', async () => {
    await whileIndexing(() =>
      waitFor(async () => (await marksOf(LONG))?.indexed === Number(large + 2n * small), { timeoutMs: 120_000 }),
    );
    expect((await marksOf(LONG))?.merged).toBe(0);
    expect(await marksOf(OTHER)).toEqual({ indexed: Number(small), merged: 0 });
  });

  it('makes the large block of them when it can', async () => {
    await ledger.query('DROP FUNCTION refuse CASCADE');
    await append(LONG, small);
    await whileIndexing(() =>
      waitFor(async () => (await marksOf(LONG))?.merged === Number(large), { timeoutMs: 120_000 }),
    );
    expect((await marksOf(LONG))?.merged).toBe(Number(large));
  });

  it('goes on by small blocks where many together take longer than a transaction may', async () => {
    const statements = `
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_sleep(0.2 * (SELECT count(DISTINCT block) FROM added)); RETURN NULL; END $$;
      CREATE TRIGGER slow_pages AFTER INSERT ON event_index_pages REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION slow();
      CREATE FUNCTION slow_mark() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_sleep(0.2 * (NEW.indexed_seq - OLD.indexed_seq) / ${small}); RETURN NEW; END $$;
      CREATE TRIGGER slow_mark BEFORE UPDATE ON event_indexes FOR EACH ROW EXECUTE FUNCTION slow_mark()`;
    await append(OTHER, 4n * small);
    await ledger.query(statements);
    // Each of the two statements is in time, but not both.
    const { url } = ledger.environment.database;
    const database = openDatabase({ url, connections: 2, deadlineMs: 1_300, onConnectionError: () => undefined });
    await whileIndexing(
      () => waitFor(async () => (await marksOf(OTHER))?.indexed === Number(3n * small), { timeoutMs: 60_000 }),
      database,
    );
    await database.disconnect();
    await ledger.query('DROP FUNCTION slow CASCADE; DROP FUNCTION slow_mark CASCADE');
  });

  it('leaves no row of an account that is gone', async () => {
    await expect(indexNextBlocks(ledger.database, 4_711n)).resolves.toBe(false);
    expect(await marksOf(4_711n)).toBeUndefined();
  });
});
