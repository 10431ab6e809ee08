import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventKinds } from '#core/records.js';
import { ACCOUNT } from '#testing/full-ledger.js';
import { waitFor } from '#testing/wait-for.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { blockSizes, findUnindexed, indexNextBlocks } from './event-index.js';

// A log of a large block of events, of three small ones, and of some that fill no block.

const { small, large } = blockSizes;
const ledger = withOpenLedger();
const database = () => ledger.driver.database;

const readIndex = async () => ({
  marks: await ledger.query('SELECT indexed_seq, merged_seq FROM event_indexes'),
  pages: await ledger.query(`
    SELECT level, count(*)::int AS pages, sum(cardinality(places))::int AS entries, max(block) AS last,
           md5(string_agg(concat_ws(' ', block, subjects, places), ' ' ORDER BY block, first_subject, first_place)) AS digest
      FROM event_index_pages GROUP BY level ORDER BY level`),
});
/** As docs/events.md says it: the pages are written again. */
const deleteIndex = () => ledger.query('DELETE FROM event_indexes');

async function indexAll(isCautious = false): Promise<void> {
  while ((await findUnindexed(database())).length > 0) await indexNextBlocks(database(), ACCOUNT, isCautious);
}

let whole: Awaited<ReturnType<typeof readIndex>>;

beforeAll(async () => {
  await ledger.driver.match('ann', 'bob', 'final', 10);
  await ledger.query(`
    SELECT append_group(${ACCOUNT}, (SELECT array_agg(CASE n % 9 WHEN 0 THEN ${eventKinds['offer.matched']}
                                                                  ELSE ${eventKinds['user.updated']} END) FROM generate_series(1, 1000) n)::smallint[],
                        (SELECT array_agg(CASE n % 9 WHEN 0 THEN (SELECT max(id) FROM bet_trails) ELSE 1 + n % 3 END
                                          ORDER BY n) FROM generate_series(1, 1000) n), '1000 worker -', NULL)
      FROM generate_series(1, ${(large + 3n * small) / 1_000n + 1n})`);
  await indexAll();
  whole = await readIndex();
});

describe('the index of a log', () => {
  it('has large blocks, and small ones behind them', () => {
    expect(whole.marks).toEqual([{ indexed_seq: String(large + 3n * small), merged_seq: String(large) }]);
    expect(whole.pages).toMatchObject([
      { level: 0, last: 130 },
      { level: 1, last: 0 },
    ]);
  });

  it('is made again as it was when it is deleted', async () => {
    await deleteIndex();
    await indexAll();
    expect(await readIndex()).toEqual(whole);
  });

  it('can be made one small block at a time, and merging them gives the same large block', async () => {
    await deleteIndex();
    await indexAll(true);
    expect((await readIndex()).marks).toEqual([{ indexed_seq: String(large + 3n * small), merged_seq: '0' }]);
    await indexNextBlocks(database(), ACCOUNT);
    expect(await readIndex()).toEqual(whole);
  });

  it('has no part of what was killed before its commit, while which nobody else works on it', async () => {
    await deleteIndex();
    await ledger.query(`
      CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$;
      CREATE TRIGGER wait_for_test BEFORE UPDATE ON event_indexes FOR EACH ROW EXECUTE FUNCTION wait_for_test()`);
    const killed = await withPostgresClient({ connectionString: ledger.environment.database.url }, async (client) => {
      await client.query('SELECT pg_advisory_lock(4711)');
      const indexing = indexNextBlocks(database(), ACCOUNT).catch(String);
      const waiting = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted`;
      await waitFor(async () => (await client.query(waiting)).rows.length === 1);
      await expect(indexNextBlocks(database(), ACCOUNT)).resolves.toBe(false);
      await client.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`);
      return indexing;
    });
    expect(killed).toMatch(/terminat|closed|P1017/i);
    expect((await readIndex()).marks).toMatchObject([{ indexed_seq: '0' }]);
    await ledger.query('DROP FUNCTION wait_for_test CASCADE');
  });

  it('has each block once, made by three at the same time', async () => {
    await deleteIndex();
    await Promise.all([indexAll(), indexAll(), indexAll()]);
    expect(await readIndex()).toEqual(whole);
  });
});
