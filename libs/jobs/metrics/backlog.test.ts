import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Queue } from 'bullmq';
import { type Database, openDatabase } from '#platform/database/database.js';
import { createMetrics, type Metrics } from '#platform/metrics/metrics.js';
import { connectForRequests, connectForWorkers } from '#platform/redis/redis.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { startClock } from '#testing/standstills.js';
import { waitFor } from '#testing/wait-for.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { addBacklogMetrics } from './backlog-metrics.js';
import { addQueueMetrics } from './queue-metrics.js';

let environment: TestEnvironment;
let database: Database;

beforeAll(async () => {
  environment = await createTestEnvironment();
  database = openDatabase({ url: environment.database.url, connections: 2, onConnectionError: () => undefined });
  await environment.database.query(
    `INSERT INTO accounts (name, email) VALUES ('a', 'a@example.com'), ('b', 'b@example.com')`,
  );
});

afterAll(async () => {
  await database?.disconnect();
  await environment?.close();
});

/** The lines of one metric, as `labels value`, in a scrape that has this part: one that stands still leaves out figures. */
async function linesOf(metrics: Metrics, name: string, part = ''): Promise<string[]> {
  const text = await waitFor(async () => {
    const scraped = await metrics.scrape();
    return scraped.includes(part) && scraped;
  });
  return [...text.matchAll(new RegExp(`^${name}(\\S*) (\\S+)$`, 'gm'))].map(
    ([, labels, value]) => `${labels} ${value}`,
  );
}

const UP = 'ledger_database_up 1';

const numberOf = async (metrics: Metrics, name: string) => Number((await linesOf(metrics, name, UP))[0]);

describe('the backlog in PostgreSQL', () => {
  it('is empty at first', async () => {
    const metrics = createMetrics();
    addBacklogMetrics(metrics, { run: (read) => read(database) });
    expect(await linesOf(metrics, 'ledger_database_up', UP)).toEqual([' 1']);
    expect(await linesOf(metrics, 'ledger_settling_wagers', UP)).toEqual([' 0']);
    expect(await linesOf(metrics, 'ledger_settlement_lag_seconds', UP)).toEqual([' 0']);
    const entries = await linesOf(metrics, 'ledger_outbox_entries', UP);
    expect(entries).toContain('{topic="settle-wager",state="waiting"} 0');
    expect(entries).toContain('{topic="verification-mail",state="failed"} 0');
    expect(entries.every((line) => line.endsWith(' 0'))).toBe(true);
  });

  it('shows the oldest decided wager, and the outbox by topic', async () => {
    const metrics = createMetrics();
    addBacklogMetrics(metrics, { run: (read) => read(database) });
    await environment.database.query(
      `INSERT INTO wagers (account_id, reference, outcome, settling_since)
       SELECT a.id, 'w' || n, 'win', CASE WHEN n < 3 THEN now() - n * interval '100 s' END
         FROM accounts a, generate_series(1, 3) n`,
    );
    await environment.database.query(
      `INSERT INTO outbox (account_id, topic, created_at, done_at, failed_at, failure)
       SELECT a.id, topic, now() - age, done_at, failed_at, CASE WHEN failed_at IS NOT NULL THEN 'reason' END
         FROM accounts a, (VALUES
           ('settle-wager', interval '50 s', NULL::timestamptz, NULL::timestamptz),
           ('settle-wager', interval '9 s', NULL, NULL),
           ('check-portfolios', interval '70 s', NULL, now()),
           ('verification-mail', interval '7 s', NULL, NULL),
           ('verification-mail', interval '999 s', NULL, now()),
           ('verification-mail', interval '999 s', now(), NULL)) AS n (topic, age, done_at, failed_at)`,
    );
    expect(await numberOf(metrics, 'ledger_settling_wagers')).toBe(4);
    const lag = await numberOf(metrics, 'ledger_settlement_lag_seconds');
    expect(lag).toBeGreaterThanOrEqual(200);
    expect(lag).toBeLessThan(230);
    const entries = await linesOf(metrics, 'ledger_outbox_entries', UP);
    expect(entries).toContain('{topic="settle-wager",state="waiting"} 4');
    expect(entries).toContain('{topic="settle-wager",state="failed"} 0');
    expect(entries).toContain('{topic="check-portfolios",state="waiting"} 2');
    expect(entries).toContain('{topic="check-portfolios",state="failed"} 0');
    expect(entries).toContain('{topic="verification-mail",state="waiting"} 2');
    expect(entries).toContain('{topic="verification-mail",state="failed"} 2');
    expect(await linesOf(metrics, 'ledger_outbox_stuck_entries', UP)).toEqual([
      '{topic="settle-wager"} 0',
      '{topic="cancel-offers"} 0',
      '{topic="check-portfolios"} 2',
      '{topic="make-export"} 0',
      '{topic="make-preview"} 0',
      '{topic="delete-sandbox"} 0',
    ]);
    const ages = new Map(
      (await linesOf(metrics, 'ledger_outbox_age_seconds', UP)).map((line) => line.split(' ') as [string, string]),
    );
    for (const [topic, seconds] of [
      ['settle-wager', 50],
      ['check-portfolios', 70],
      ['verification-mail', 7],
      ['password-reset-mail', 0],
    ] as const) {
      const age = Number(ages.get(`{topic="${topic}"}`));
      expect(age).toBeGreaterThanOrEqual(seconds);
      expect(age).toBeLessThan(seconds + 30);
    }
  });

  it('is read from indexes of undone work only', async () => {
    const plan = (sql: string) =>
      withPostgresClient({ connectionString: environment.database.url }, async (client) => {
        // Otherwise PostgreSQL would scan the small tables of this test.
        await client.query('SET enable_seqscan = off');
        return JSON.stringify((await client.query(`EXPLAIN ${sql}`)).rows);
      });
    for (const [sql, index] of [
      ['SELECT count(*), min(settling_since) FROM wagers WHERE settling_since IS NOT NULL', 'wagers_settling_idx'],
      ['SELECT topic FROM outbox WHERE done_at IS NULL AND failed_at IS NULL', 'outbox_left_idx'],
      ['SELECT topic FROM outbox WHERE done_at IS NULL AND failed_at IS NOT NULL', 'outbox_failed_idx'],
      // The sweep's.
      [
        `SELECT topic FROM outbox WHERE done_at IS NULL AND (failed_at IS NULL OR topic NOT LIKE '%-mail')`,
        'outbox_left_idx',
      ],
    ] as const) {
      expect(await plan(sql)).toContain(index);
    }
  });

  it('is absent when PostgreSQL does not answer in time', async () => {
    const metrics = createMetrics();
    const gone = openDatabase({
      url: 'postgresql://x@127.0.0.1:1/x',
      connections: 2,
      onConnectionError: () => undefined,
    });
    addBacklogMetrics(metrics, { run: (read) => read(gone) });
    const clock = startClock();
    const text = await metrics.scrape();
    expect(clock.now()).toBeLessThan(2_000);
    await clock.stop();
    expect(text).toMatch(/^ledger_database_up 0$/m);
    expect(text).not.toMatch(/^ledger_(settl|outbox)/m);
    await gone.disconnect();
  });
});

describe('the jobs in queues', () => {
  it('are counted by state, and absent while Redis is away or hangs', async () => {
    const service = await startPrivateRedis({ dataDir: path.join(environment.folder, 'redis'), persistent: false });
    const redis = connectForRequests({ url: service.url }, environment.logger);
    await waitFor(() => redis.status === 'ready');
    const metrics = createMetrics();
    const added = addQueueMetrics(metrics, { redis, prefix: 'test' });
    // Its commands may be late on a slow machine.
    const patient = connectForWorkers({ url: service.url }, environment.logger);
    const mail = new Queue('mail', { connection: patient, prefix: 'test' });
    await mail.add('verification-mail', {});
    await mail.add('verification-mail', {}, { delay: 60_000 });
    await mail.add('verification-mail', {}, { priority: 2 });
    const lines = await linesOf(metrics, 'ledger_queue_jobs', 'ledger_queue_jobs{');
    expect(lines).toContain('{queue="mail",state="waiting"} 2');
    expect(lines).toContain('{queue="mail",state="delayed"} 1');
    expect(lines).toContain('{queue="mail",state="failed"} 0');
    expect(lines).toContain('{queue="settlement",state="active"} 0');

    service.kill('SIGSTOP');
    const clock = startClock();
    expect(await linesOf(metrics, 'ledger_queue_jobs')).toEqual([]);
    expect(clock.now()).toBeLessThan(2_000);
    await clock.stop();
    service.kill('SIGCONT');
    await waitFor(async () => (await linesOf(metrics, 'ledger_queue_jobs')).length > 0);

    await mail.close();
    patient.disconnect();
    redis.disconnect();
    await waitFor(() => redis.status !== 'ready');
    expect(await linesOf(metrics, 'ledger_queue_jobs')).toEqual([]);
    await added.close();
    await service.stop();
  });
});
