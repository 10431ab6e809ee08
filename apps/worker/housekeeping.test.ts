import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createExportFiles } from '#exports/export-files.js';
import { deleteStoredAnswers } from '#idempotency/stored-answers.js';
import { DAY_MS } from '#platform/config/time-units.js';
import { type Database, openDatabase, Prisma, withTx } from '#platform/database/database.js';
import { deletionOf, indexOnly } from '#platform/database/expired-rows.js';
import { countLockWaits } from '#testing/databases.js';
import { unlessStandingStill } from '#testing/standstills.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { BATCH_ROWS, createHousekeeping, type HousekeepingOptions, type KindResult, kinds } from './housekeeping.js';

/** For a batch: longer than the machine stands still. */
const PATIENT_MS = 15_000;

const environment = withTestEnvironment(async () => database?.disconnect());
let database: Database;
let other: pg.Client;
let observed: KindResult[];

beforeAll(async () => {
  database = openDatabase({ url: environment.database.url, connections: 3, onConnectionError: () => undefined });
  await query(`INSERT INTO accounts (name, email)
               SELECT 'a', n || '@example.com' FROM generate_series(1, 30) n`);
  await query(
    `INSERT INTO operators (account_id, id, name, email, role) SELECT id, id, name, email, 'owner' FROM accounts`,
  );
  // Each test begins with empty tables.
  await query('ALTER TABLE account_events DISABLE TRIGGER account_events_append_only');
});

async function emptyTables(): Promise<void> {
  observed = [];
  environment.logLines.splice(0);
  for (const { kind } of kinds) await query(`TRUNCATE ${kind} CASCADE`);
}

beforeEach(async () => {
  await emptyTables();
  other = new pg.Client({ connectionString: environment.database.url });
  await other.connect();
});

afterEach(() => other.end());

const query = (sql: string, values?: unknown[]) => environment.database.query(sql, values);
const rowsOf = async (table: string) => Number((await query(`SELECT count(*)::int AS count FROM ${table}`))[0]?.count);
const housekeeping = (options: Partial<HousekeepingOptions> = {}) =>
  createHousekeeping({
    database,
    files: createExportFiles(`${environment.folder}/exports`),
    logger: environment.logger,
    observe: (result) => observed.push(result),
    signal: new AbortController().signal,
    timeoutMs: PATIENT_MS,
    ...options,
  });
const resultOf = (results: readonly KindResult[], wanted: string) => results.find(({ kind }) => kind === wanted);

/** Stored answers that came in at 1,200 a second, the newest of them expired an hour ago. */
const storeAnswers = (count: number) =>
  query(
    `INSERT INTO stored_answers (account_id, key, request_hash, status, body, created_at)
     SELECT 1 + n % 30, 'key-' || n, 'hash', 201, '{"message":"stored","data":{}}',
            now() - interval '25 h' - ($1::int - n) * interval '1 s' / 1200
       FROM generate_series(1, $1::int) n`,
    [count],
  );

/** Thirty ended rows of each kind, and thirty that have not ended. */
async function fill(): Promise<void> {
  for (const [end, past] of [
    ['1 minute', true],
    ['-1 hour', false],
  ] as const) {
    const ends = `now() - interval '${end}'`;
    const name = `'${past ? 'past' : 'future'}-' || n`;
    await query(`INSERT INTO access_tokens (account_id, operator_id, token_hash, expires_at)
                 SELECT n, n, (${name})::bytea, ${ends} FROM generate_series(1, 30) n`);
    await query(`INSERT INTO verification_tokens (account_id, token_hash, expires_at)
                 SELECT n, (${name})::bytea, ${ends} FROM generate_series(1, 30) n`);
    await query(`INSERT INTO outbox (account_id, topic, done_at)
                 SELECT n, 'verification-mail', ${ends} - interval '7 days' FROM generate_series(1, 30) n`);
    await query(`INSERT INTO stored_answers (account_id, key, request_hash, status, body, created_at)
                 SELECT n, ${name}, 'h', 200, '{}', ${ends} - interval '1 day' FROM generate_series(1, 30) n`);
    await query(`INSERT INTO refused_calls (account_id, method, route, status, code, request_id, key_kind, key_id, created_at)
                 SELECT n, 'GET', '/wagers', 404, 'route-not-found', 'id', 'session', 1, ${ends} - interval '7 days'
                   FROM generate_series(1, 30) n`);
    await query(`INSERT INTO account_events (account_id, type, actor, created_at)
                 SELECT n, 'login', '{"type": "account"}', ${ends} - interval '401 days' FROM generate_series(1, 30) n`);
    await query(`INSERT INTO exports (account_id, kind, format, period_start, period_end, created_at)
                 SELECT n, 'bets', 'csv', '2026-01-01', '2026-02-01', ${ends} - interval '30 days'
                   FROM generate_series(1, 30) n`);
    await query(`INSERT INTO previews (account_id, ledger_account_id, operation, state, created_at)
                 SELECT n, n, '{}', 'running', ${ends} - interval '1 hour' FROM generate_series(1, 30) n`);
    await query(`INSERT INTO preview_users (account_id, preview_id, part, users)
                 SELECT account_id, id, 0, '[]' FROM previews ON CONFLICT DO NOTHING`);
    await query(`INSERT INTO webhook_attempts (account_id, endpoint_id, duration_ms, status, at)
                 SELECT n, 1, 5, 200, ${ends} - interval '30 days' FROM generate_series(1, 30) n`);
    await query(`INSERT INTO worker_heartbeats (id, beat_at)
                 SELECT gen_random_uuid(), ${ends} - interval '1 day' FROM generate_series(1, 30)`);
  }
  await query(`INSERT INTO outbox (account_id, topic, created_at) SELECT n, 'settle-wager', now() - interval '1 year'
                 FROM generate_series(1, 30) n`);
  await query(`INSERT INTO reset_codes (account_id, operator_id, code_hash, expires_at)
               SELECT n, n, 'x', now() + (n - 15.5) * interval '1 h' FROM generate_series(1, 30) n`);
}

const EXPECTED = {
  access_tokens: 30,
  verification_tokens: 30,
  reset_codes: 15,
  outbox: 60,
  stored_answers: 30,
  refused_calls: 30,
  account_events: 30,
  exports: 30,
  previews: 30,
  webhook_attempts: 30,
  worker_heartbeats: 30,
};

async function leftRows(): Promise<Record<string, number>> {
  const left: Record<string, number> = {};
  for (const { kind } of kinds) left[kind] = await rowsOf(kind);
  return left;
}

describe('housekeeping', () => {
  it('deletes what has ended, in batches, and nothing else', async () => {
    await fill();
    const results = await housekeeping({ batchRows: 7 })();
    expect(results).toEqual([
      { kind: 'access_tokens', end: 'done', deleted: 30 },
      { kind: 'verification_tokens', end: 'done', deleted: 30 },
      { kind: 'reset_codes', end: 'done', deleted: 15 },
      { kind: 'outbox', end: 'done', deleted: 30 },
      { kind: 'stored_answers', end: 'done', deleted: 30 },
      { kind: 'refused_calls', end: 'done', deleted: 30 },
      { kind: 'account_events', end: 'done', deleted: 30 },
      { kind: 'exports', end: 'done', deleted: 30 },
      { kind: 'previews', end: 'done', deleted: 30 },
      { kind: 'webhook_attempts', end: 'done', deleted: 30 },
      { kind: 'worker_heartbeats', end: 'done', deleted: 30 },
      { kind: 'export_files', end: 'done', deleted: 0 },
    ]);
    expect(observed).toEqual(results);
    expect(await leftRows()).toEqual(EXPECTED);
  });

  it('lets no kind stop the others', () =>
    // While the machine stands still, the time-out ends batches that wait for no lock.
    unlessStandingStill(async () => {
      await emptyTables();
      await fill();
      await other.query('BEGIN; LOCK TABLE access_tokens, outbox IN ACCESS EXCLUSIVE MODE');
      try {
        const results = await housekeeping({ timeoutMs: 300 })();
        const ending = (wanted: string) => results.filter(({ end }) => end === wanted);
        expect(ending('failed').map(({ kind }) => kind)).toEqual(['access_tokens', 'outbox']);
        expect(ending('done').map(({ deleted }) => deleted)).toEqual([30, 15, 30, 30, 30, 30, 30, 30, 30, 0]);
        const errors = environment.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
        expect(errors.map(({ kind }) => kind)).toEqual(['access_tokens', 'outbox']);
      } finally {
        await other.query('ROLLBACK');
      }
      expect((await housekeeping()()).every(({ end }) => end === 'done')).toBe(true);
      expect(await leftRows()).toEqual(EXPECTED);
    }));

  it('goes on at the next run when its share of time is used, and stops with its process', async () => {
    await storeAnswers(1_000);
    // 100 batches, with a pause of 1 ms at least after each: no machine ends them in this share.
    const run = housekeeping({ batchRows: 10, shareMs: 20 });
    let left = 1_000;
    for (let times = 0; times < 2; times += 1) {
      const result = resultOf(await run(), 'stored_answers');
      expect(result?.end).toBe('behind');
      expect(result?.deleted).toBeGreaterThan(0);
      left -= result?.deleted ?? 0;
      expect(await rowsOf('stored_answers')).toBe(left);
    }
    const stopping = new AbortController();
    stopping.abort();
    expect(resultOf(await housekeeping({ signal: stopping.signal })(), 'stored_answers')).toMatchObject({ deleted: 0 });
    expect(resultOf(await housekeeping()(), 'stored_answers')).toMatchObject({ end: 'done', deleted: left });
  });

  it('takes the time from PostgreSQL: a worker whose clock is ahead deletes nothing early', async () => {
    await fill();
    const realNow = Date.now;
    Date.now = () => realNow() + 500 * DAY_MS;
    try {
      await housekeeping()();
    } finally {
      Date.now = realNow;
    }
    expect(await leftRows()).toEqual(EXPECTED);
  });

  it('leaves a reset code that another transaction renews meanwhile', async () => {
    await query(
      `INSERT INTO reset_codes (account_id, operator_id, code_hash, expires_at) VALUES (1, 1, 'old', now() - interval '1 h')`,
    );
    await other.query(`BEGIN; UPDATE reset_codes SET code_hash = 'new', expires_at = now() + interval '1 h'`);
    const results = housekeeping()();
    await waitFor(async () => (await countLockWaits(environment.database)) > 0);
    await other.query('COMMIT');
    expect(resultOf(await results, 'reset_codes')).toMatchObject({ end: 'done', deleted: 0 });
    expect(await query('SELECT code_hash FROM reset_codes')).toEqual([{ code_hash: 'new' }]);
  });

  it.each([
    ['access_tokens', 'expires_at', 'access_tokens_expires_at_idx'],
    ['verification_tokens', 'expires_at', 'verification_tokens_expires_at_idx'],
    ['reset_codes', 'expires_at', 'reset_codes_expires_at_idx'],
    ['outbox', 'done_at', 'outbox_done_idx'],
    ['stored_answers', 'created_at', 'stored_answers_created_at_idx'],
    ['refused_calls', 'created_at', 'refused_calls_created_at_idx'],
    ['exports', 'created_at', 'exports_created_at_idx'],
    ['previews', 'created_at', 'previews_created_at_idx'],
  ])('finds the rows of %s by the index on %s', async (table, column, index) => {
    expect(kinds.map(({ kind }) => String(kind))).toContain(table);
    const plan = await withTx(database.shared, async (tx) => {
      await tx.$queryRaw(indexOnly(PATIENT_MS));
      const rows = { endedForMs: 0, from: new Date(0), limit: BATCH_ROWS };
      return JSON.stringify(await tx.$queryRaw(Prisma.sql`EXPLAIN ${deletionOf(Prisma.raw(table), column, rows)}`));
    });
    expect(plan).toContain(`Index Scan using ${index}`);
    expect(plan).toContain('Tid Scan');
    expect(plan).not.toMatch(/Seq Scan|Sort/);
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

const nodesIn = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesIn)];

/** The pages of index and table that the next batch reads to find its rows, which it deletes. */
async function pagesOfSearch(from: Date | undefined): Promise<number> {
  const rows = deletionOf(Prisma.raw('stored_answers'), 'created_at', { endedForMs: 0, from, limit: BATCH_ROWS });
  const [row] = await withTx(database.shared, async (tx) => {
    await tx.$queryRaw(indexOnly(PATIENT_MS));
    return tx.$queryRaw<Record<string, [{ Plan: PlanNode }]>[]>(
      Prisma.sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${rows}`,
    );
  });
  const nodes = Object.values(row ?? {}).flatMap(([{ Plan: root }]) => nodesIn(root));
  const search = nodes.find((node) => node['Node Type'] === 'Index Scan');
  return Number(search?.['Shared Hit Blocks']) + Number(search?.['Shared Read Blocks']);
}

describe('after three days away', () => {
  const ROWS = 300_000;

  it('deletes 300,000 stored answers, and no batch reads more for what is left or deleted already', async () => {
    await storeAnswers(ROWS);
    // As the audit does. Deleted rows then stay in the index, and a search passes them slowly.
    await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM accounts');
    const batch = { endedForMs: 0, limit: BATCH_ROWS, timeoutMs: PATIENT_MS };
    let { upTo: from } = await deleteStoredAnswers(database.of(1n), batch);
    const first = await pagesOfSearch(from);
    for (let deleted = 2 * BATCH_ROWS; deleted < ROWS - 100_000; deleted += BATCH_ROWS) {
      const { count, upTo } = await deleteStoredAnswers(database.of(1n), { ...batch, from });
      expect(count).toBe(BATCH_ROWS);
      from = upTo;
    }
    expect(await pagesOfSearch(from)).toBeLessThan(1.5 * first);
    // From the oldest row on, a batch passes all that were deleted.
    expect(await pagesOfSearch(undefined)).toBeGreaterThan(3 * first);
    await other.query('COMMIT');

    const run = housekeeping({ shareMs: 500 });
    await waitFor(async () => resultOf(await run(), 'stored_answers')?.end === 'done', { timeoutMs: 60_000 });
    expect(await rowsOf('stored_answers')).toBe(0);
  });
});
