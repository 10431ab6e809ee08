import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Job, Queue } from 'bullmq';
import { auditTries, nextAudit } from '#audit/daily-audit.js';
import type { Running } from '#platform/process/run-process.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { openTestBusiness } from '#testing/test-business.js';
import { openTestQueue, type TestQueue } from '#testing/test-queue.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

/** The audit waits for housekeeping, which on a cluster comes first to each shard group. */
const PATIENT_MS = 120_000;

const environment = withTestEnvironment(async () => {
  await worker?.close();
  await maintenance?.close();
  await api?.close();
});
let api: TestPart;
let worker: Running;
let maintenance: TestQueue;
let queue: Queue;

beforeAll(async () => {
  api = await startTestApi(environment);
  const business = await openTestBusiness(api.client);
  await business.user('ann');
  maintenance = openTestQueue(environment, 'maintenance');
  queue = maintenance.queue;
  worker = await startTestWorker(environment);
});

const ended = (job: Job, state: 'completed' | 'failed' | 'delayed') =>
  waitFor(
    async () => {
      // Read again after its state is known: a job that was read while it ran has no result.
      return (await job.getState()) === state && (await queue.getJob(job.id ?? ''));
    },
    { timeoutMs: PATIENT_MS },
  );

const logged = (text: string) => environment.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === text);

describe('the daily audit', () => {
  it('is one job a day, due at night, tried until it could run', async () => {
    const due = nextAudit(new Date());
    const job = await waitFor(() => queue.getJob(due.jobId));
    expect(job).toMatchObject({ name: 'audit', opts: auditTries });
    expect(await job.getState()).toBe('delayed');
    expect(new Date(job.timestamp + job.delay).toISOString()).toMatch(/T0(3:00:0|2:59:59)/);
    expect(await queue.getJobs(['delayed'])).toHaveLength(1);
  });

  it('logs its figures when the books balance', async () => {
    const job = await waitFor(() => queue.getJob(nextAudit(new Date()).jobId));
    await job.promote();
    const done = await ended(job, 'completed');
    expect(done.returnvalue).toEqual({
      checks: expect.any(Number),
      compared: expect.any(Number),
      closedAccounts: 1,
      restingAccounts: 0,
      tookMs: expect.any(Number),
    });
    expect(done.returnvalue.checks).toBeGreaterThan(20);
    // A line follows the state of the job.
    await waitFor(() => logged('audit done').length > 0);
    expect(logged('audit done')).toMatchObject([{ level: 'info', job: job.id, result: done.returnvalue }]);
  });

  it('fails when they do not, and logs the differences as an error', async () => {
    await environment.database.query('UPDATE balances SET balance = balance + 1, exposure = 5');
    const job = await queue.add('audit', {}, { jobId: 'audit-once-more', ...auditTries });
    const failed = await ended(job, 'failed').finally(() =>
      environment.database.query('UPDATE balances SET balance = balance - 1, exposure = 0'),
    );
    expect(failed.attemptsMade).toBe(1);
    expect(failed.failedReason).toBe(
      'the books do not balance: balance = sum of the transactions: 1 of 1 users; exposure = recomputed from the bets: 1 of 1 users',
    );
    await waitFor(() => logged('audit failed').length > 0);
    expect(logged('audit failed')).toMatchObject([{ level: 'error', job: job.id, reason: failed.failedReason }]);
    const [said] = logged('audit found differences');
    expect(said).toMatchObject({ level: 'error' });
    expect(said.differences.join('\n')).toContain('(ann): balance is 1000.000001, the transactions sum to 1000');
  });

  it('is tried again when it could not run', async () => {
    await environment.database.query('ALTER TABLE api_keys RENAME TO api_keys_away');
    const job = await queue.add('audit', {}, { jobId: 'audit-not-possible', ...auditTries });
    await ended(job, 'delayed').finally(() =>
      environment.database.query('ALTER TABLE api_keys_away RENAME TO api_keys'),
    );
    await ((await queue.getJob(job.id ?? '')) as Job).promote();
    const done = await ended(job, 'completed');
    expect(done.attemptsMade).toBe(2);
  });

  it('is added again, and reported, when a night was skipped', async () => {
    await environment.database.query(
      `UPDATE account_closings SET closed_at = now() - interval '37 hours', audit_due_since = now() - interval '37 hours',
                               day = day - 2`,
    );
    const next = await startTestWorker(environment);
    try {
      const job = await waitFor(() => queue.getJob(`audit-late-${new Date().toISOString().slice(0, 10)}`));
      const done = await ended(job, 'completed');
      expect(done.returnvalue).toMatchObject({ closedAccounts: 1 });
    } finally {
      await next.close();
    }
    expect(logged('no audit has confirmed these accounts')).toMatchObject([{ level: 'error', accounts: 1, hours: 37 }]);
  });
});
