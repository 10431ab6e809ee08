import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blockSizes, findUnindexed, indexNextBlock } from '#events/event-index.js';
import type { Database } from '#platform/database/database.js';
import { connectDatabase } from '#platform/database/database.js';
import { startTestWorker } from '#testing/parts.js';
import { StreamReader } from '#testing/stream-reader.js';
import { offerBatch, ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

// Events about users, wagers and bets, of a log that is indexed in part. The tests index it themselves: no worker runs.

const api = withTestApi();
/** A large block, small ones, and events that are in none. */
const LOG_SIZE = Number(blockSizes.large + 3n * blockSizes.small) + 500;
let business: TestBusiness;
let database: Database;
let accountId: number;
let bet: number;
let all: readonly Event[];

interface Event {
  readonly seq: number;
  readonly cursor: string;
  readonly type: string;
  readonly bet?: {
    readonly id: number;
    readonly requesting_user_id: number;
    readonly accepting_user_id: number | null;
  };
  readonly wager?: { readonly reference: string };
  readonly user?: { readonly id: number };
  readonly canceling?: { readonly user_id: number };
  readonly transactions?: readonly { readonly user_id: number }[];
}

interface Page {
  readonly data: readonly Event[];
  readonly next: string;
  readonly next_seq: number;
  readonly has_more: boolean;
}

const page = async (query: string): Promise<Page> => ok(await business.client.get(`/events?${query}`), 200) as never;

/** All pages of a list, and how many they were. */
async function walk(query: string, direction: 'asc' | 'desc' = 'asc') {
  const data: Event[] = [];
  const side = direction === 'asc' ? 'after' : 'before';
  for (let pages = 1, cursor = ''; ; pages += 1) {
    const found = await page(`sort_direction=${direction}&limit=1000&${query}${cursor && `&${side}=${cursor}`}`);
    data.push(...found.data);
    cursor = found.next;
    if (!found.has_more) return { seqs: data.map(({ seq }) => seq), pages };
  }
}

const isOfUser = (id: number) => (event: Event) => {
  if (event.type.startsWith('user.')) return event.user?.id === id;
  if (event.canceling) return event.canceling.user_id === id;
  if (event.bet) return [event.bet.requesting_user_id, event.bet.accepting_user_id].includes(id);
  return event.transactions?.some((each) => each.user_id === id) ?? false;
};
const seqsOf = (condition: (event: Event) => boolean) => all.filter(condition).map(({ seq }) => seq);

/** Appends what the log has, until it has so many events. Every event is one of real rows. */
async function lengthenLog(size: number): Promise<void> {
  await api.database.queryOf(
    accountId,
    `WITH have AS (SELECT last_seq AS size FROM event_heads WHERE account_id = $1),
     copies AS (
       SELECT g.*, sum(g.last_seq - g.first_seq + 1) OVER (ORDER BY n, g.last_seq) AS total
         FROM have, event_groups g, generate_series(1, $2 / size) n WHERE g.account_id = $1),
     added AS (
       INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations, extras)
       SELECT account_id, size + total - (last_seq - first_seq), size + total, now(), kinds, refs, operations, extras
         FROM copies, have WHERE size + total <= $2 RETURNING *)
     UPDATE event_heads h SET last_seq = a.last_seq, last_at = a.at, last_kind = a.kinds[cardinality(a.kinds)],
            last_ref = a.refs[cardinality(a.refs)]
       FROM (SELECT * FROM added ORDER BY last_seq DESC LIMIT 1) a WHERE h.account_id = $1`,
    [accountId, size],
  );
  // As autovacuum does, a minute later.
  await api.database.query('ANALYZE');
}

/** As docs/events.md says it: the pages are written again. */
const deleteIndex = () =>
  api.database.queryOf(accountId, 'DELETE FROM event_indexes WHERE account_id = $1', [accountId]);

async function indexAll(): Promise<void> {
  while ((await findUnindexed(database)).length > 0) await indexNextBlock(database, BigInt(accountId));
}

const readIndex = async () => ({
  marks: await api.database.queryOf(accountId, 'SELECT * FROM event_indexes WHERE account_id = $1', [accountId]),
  pages: await api.database.queryOf(
    accountId,
    `SELECT level, count(*)::int AS pages, sum(cardinality(places))::int AS entries, max(block) AS last,
            md5(string_agg(concat_ws(' ', block, subjects, places), ' ' ORDER BY block, first_subject, first_place)) AS digest
       FROM event_index_pages WHERE account_id = $1 GROUP BY level ORDER BY level`,
    [accountId],
  ),
});

async function readAll(): Promise<Event[]> {
  const read: Event[] = [];
  for (let found = await page('limit=1000'); ; found = await page(`limit=1000&after=${found.next}`)) {
    read.push(...found.data);
    if (!found.has_more) return read;
  }
}

beforeAll(async () => {
  business = await openTestBusiness(api.client);
  accountId = ok(await business.client.get('/auth/account/me'), 200).data.id;
  database = await connectDatabase({
    url: api.database.url,
    connections: 4,
    onConnectionError: () => undefined,
  });
  for (const name of ['ann', 'bob', 'cat', 'dan']) await business.user(name);
  await business.client.patch('/account/user/ann/reference', { name: 'Ann' });
  ok(await business.make('ann', 10, 2.5));
  ok(await business.accept('bob', 4));
  ok(await business.cancel('ann', { cancel_amount: 1 }));
  bet = ok(await business.make('cat', 10, 2, { wager_reference: 'final' })).data.bet_id;
  ok(await business.accept('bob', 10, { wager_reference: 'final' }));
  await business.decide('win', 'final');
  // Most events are of one user, so that the others are rare.
  for (let batch = 1; batch <= 20; batch += 1) ok(await business.client.post('/bets/batch', offerBatch('dan', 'busy')));
  await lengthenLog(20_000);
  all = await readAll();
}, 240_000);

afterAll(async () => {
  if (database !== undefined) await database.disconnect();
});

const idOf = async (reference: string): Promise<number> =>
  ok(await business.client.get(`/account/user/${reference}/reference`), 200).data.id;

/** Each list of the API, and the condition that its events fulfil. */
async function lists(): Promise<[string, (event: Event) => boolean][]> {
  const [ann, bob, cat] = [await idOf('ann'), await idOf('bob'), await idOf('cat')];
  const isOfFinal = ({ wager }: Event) => wager?.reference === 'final';
  return [
    [`user_id=${ann}`, isOfUser(ann)],
    [`user_id=${bob}`, isOfUser(bob)],
    [`user_id=${cat}`, isOfUser(cat)],
    ['wager_reference=final', isOfFinal],
    [`bet_id=${bet}`, (event) => event.bet?.id === bet],
    [`user_id=${cat}&wager_reference=final`, (event) => isOfUser(cat)(event) && isOfFinal(event)],
    [`user_id=${ann}&wager_reference=final`, () => false],
    [`user_id=${ann}&bet_id=${bet}`, () => false],
    [`bet_id=${bet}&types=bet.*`, (event) => event.bet?.id === bet && event.type.startsWith('bet.')],
    [
      `user_id=${ann}&types=user.*,offer.canceled`,
      (event) => isOfUser(ann)(event) && /^user\.|canceled/.test(event.type),
    ],
    ['user_id=987654', () => false],
    ['wager_reference=never', () => false],
  ];
}

/** Complete, and in order in both directions. */
async function expectComplete(): Promise<void> {
  for (const [query, condition] of await lists()) {
    const seqs = seqsOf(condition);
    expect([query, (await walk(query)).seqs]).toEqual([query, seqs]);
    expect([query, (await walk(query, 'desc')).seqs]).toEqual([query, seqs.toReversed()]);
  }
}

describe('the events about users, wagers and bets', () => {
  it('are complete and in order without an index, when a part is indexed, and when all is', async () => {
    const { small, large } = blockSizes;
    expect(all.length).toBeGreaterThan(19_000);
    await expectComplete();
    while (await indexNextBlock(database, BigInt(accountId))) {
      const [marks] = (await readIndex()).marks;
      if (marks?.indexed_seq === String(9n * small)) await expectComplete();
    }
    await lengthenLog(LOG_SIZE);
    all = await readAll();
    await indexAll();
    const marks = [{ indexed_seq: String(large + 3n * small), merged_seq: String(large) }];
    const pages = [
      { level: 0, last: 130 },
      { level: 1, last: 0 },
    ];
    expect(await readIndex()).toMatchObject({ marks, pages });
    await expectComplete();
  }, 240_000);

  it('are looked for in 10,000 events a request while the index is away, and it is made again as it was', async () => {
    const before = await readIndex();
    await deleteIndex();
    expect(await page('user_id=987654')).toMatchObject({ data: [], next_seq: 10_000, has_more: true });
    const last = all.at(-1)?.seq ?? 0;
    const back = await page('user_id=987654&sort_direction=desc');
    expect(back).toMatchObject({ data: [], next_seq: last - 9_999, has_more: true });
    await indexAll();
    expect(await readIndex()).toEqual(before);
  }, 240_000);

  it('are indexed once by workers that work at the same time, and by one that was killed before its commit', async () => {
    const before = await readIndex();
    await deleteIndex();
    await api.database.query(`
      CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$;
      CREATE TRIGGER wait_for_test BEFORE UPDATE ON event_indexes FOR EACH ROW EXECUTE FUNCTION wait_for_test()`);
    const killed = await withPostgresClient({ connectionString: api.database.url }, async (client) => {
      await client.query('SELECT pg_advisory_lock(4711)');
      const indexing = indexNextBlock(database, BigInt(accountId)).catch(String);
      const waiting = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted`;
      await waitFor(async () => (await client.query(waiting)).rows.length === 1);
      await expect(indexNextBlock(database, BigInt(accountId))).resolves.toBe(false);
      await client.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`);
      return indexing;
    });
    expect(killed).toMatch(/terminat|closed|P1017/i);
    expect((await readIndex()).marks).toMatchObject([{ indexed_seq: '0' }]);
    await api.database.query('DROP FUNCTION wait_for_test CASCADE');
    await Promise.all([indexAll(), indexAll(), indexAll()]);
    expect(await readIndex()).toEqual(before);
  }, 240_000);

  it('are indexed by small blocks while no large one can be made', async () => {
    const { small, large } = blockSizes;
    await deleteIndex();
    await api.database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no large block'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON event_index_pages FOR EACH ROW WHEN (NEW.level = 1) EXECUTE FUNCTION refuse()`);
    const worker = await startTestWorker(api.environment);
    await waitFor(async () => (await findUnindexed(database)).length === 0);
    expect((await readIndex()).marks).toMatchObject([{ indexed_seq: String(large + 3n * small), merged_seq: '0' }]);
    await expectComplete();
    await api.database.query('DROP FUNCTION refuse CASCADE');
    await lengthenLog(LOG_SIZE + Number(small));
    await waitFor(async () => (await readIndex()).marks[0]?.merged_seq === String(large));
    await worker.close();
    all = await readAll();
    await expectComplete();
  }, 240_000);

  it('come in one request when the worker has indexed them, however far apart they are', async () => {
    const rare = await business.user('rare', 1);
    await lengthenLog(LOG_SIZE + 30_000);
    ok(await business.make('rare', 1, 2));
    const worker = await startTestWorker(api.environment);
    await waitFor(async () => (await findUnindexed(database)).length === 0);
    await worker.close();
    const seqs = ({ data }: Page) => data.map(({ type }) => type);
    const types = ['user.created', 'transaction.created', 'offer.made'];
    const oldest = await page(`user_id=${rare}`);
    expect([seqs(oldest), oldest.has_more]).toEqual([types, false]);
    const newest = await page(`user_id=${rare}&sort_direction=desc`);
    expect([seqs(newest), newest.has_more]).toEqual([types.toReversed(), false]);
  }, 240_000);

  it('are refused behind a cursor of a history that was undone', async () => {
    const undone = Buffer.from(all[4]?.cursor ?? '', 'base64url');
    undone.writeUInt8(undone.readUInt8(20) ^ 1, 20);
    for (const side of ['after', 'sort_direction=desc&before']) {
      const query = `user_id=${await idOf('ann')}&${side}=${undone.toString('base64url')}`;
      const { status, body } = await business.client.get(`/events?${query}`);
      expect([status, body.error]).toEqual([409, 'cursor unknown: history was restored']);
    }
  });

  it('are of the own account alone', async () => {
    const stranger = await openTestBusiness(api.client);
    for (const query of [`bet_id=${bet}`, `user_id=${await idOf('ann')}`, 'wager_reference=final']) {
      const found = ok(await stranger.client.get(`/events?${query}`), 200);
      expect([query, found.data, found.has_more]).toEqual([query, [], false]);
    }
  });

  it('are no others than those of the log, whatever an index of another history names', async () => {
    const restored = await openTestBusiness(api.client);
    const { id } = ok(await restored.client.get('/auth/account/me'), 200).data;
    const user = await restored.user('eve');
    await api.database.queryOf(id, 'UPDATE event_heads SET last_seq = 1024 WHERE account_id = $1', [id]);
    await api.database.queryOf(id, 'INSERT INTO event_indexes (account_id, indexed_seq) VALUES ($1, 1024)', [id]);
    await api.database.queryOf(
      id,
      `INSERT INTO event_index_pages (account_id, level, block, first_subject, first_place, subjects, places)
       VALUES ($1, 0, 0, $2, 257, ARRAY[$2, $2]::bigint[], ARRAY[257, 256001])`,
      [id, 4 * user],
    );
    for (const direction of ['asc', 'desc']) {
      const found = ok(await restored.client.get(`/events?user_id=${user}&sort_direction=${direction}`), 200);
      expect(found.data).toMatchObject([{ seq: 2, type: 'transaction.created' }]);
    }
  });

  it('are followed by a stream', async () => {
    const stream = await StreamReader.open(business.client, `/events/stream?bet_id=${bet}&after=${all[0]?.cursor}`);
    const seqs = seqsOf((event) => event.bet?.id === bet).slice(0, 10);
    expect((await stream.events(seqs.length)).map(({ data }) => data.seq)).toEqual(seqs);
    stream.close();
  });
});
