import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectSoon } from '#testing/console.js';
import { countLockWaits, holding } from '#testing/databases.js';
import { startPartOn } from '#testing/part-process.js';
import { type Admin, ok, registerAdmin } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// Not on a cluster: a lock of a table on the coordinator holds up no node.
const api = withTestApi({ settings: { RATE_LIMITS: 'off' } });
const business = withBusiness(api);

let admin: Admin;

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
});

const health = async () => ok(await business.client.get('/account/health'), 200).data;
const healthOfAll = async () => ok(await admin.client.get('/admin/health'), 200).data;
/** It must be ready all the time. */
const details = async () => ok(await api.client.get('/readyz'), 200).details;

/** The figures of health stand in them. */
const FIGURES = 'worker_heartbeats, outbox';

const whileLocked = (tables: string, work: () => Promise<void>): Promise<void> =>
  holding(api.database, `LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`, work);

it('a worker that stops takes its heartbeat away, also while a job goes on', () =>
  whileLocked('bets', async () => {
    const heartbeats = () => api.database.query('SELECT jobs FROM worker_heartbeats');
    const body = { kind: 'bets', format: 'csv', from: '2026-01-01', to: '2026-01-02' };
    ok(await business.client.post('/exports', body), 202);
    const worker = await startPartOn(api.environment, 'worker');
    await waitFor(async () => JSON.stringify(await heartbeats()).includes('make-export'));
    process.kill(worker.pid, 'SIGTERM');
    await waitFor(async () => (await heartbeats()).length === 0);
    await worker.kill();
  }));

describe('what PostgreSQL does not answer in time', () => {
  const ANSWERED_WITHIN_MS = 8_000;
  /** Of the account; for admins, of workers and of what is stuck; and two for the counts. */
  const QUESTIONS = 5;
  const unknown = {
    background_work: 'unknown',
    stuck_settlements: 'unknown',
    failing_webhooks: 'unknown',
    late_audits: 'unknown',
    overdue_work: 'unknown',
    last_audit: 'unknown',
  };

  it('holds up no answer, and takes few connections however many ask', () =>
    whileLocked(FIGURES, async () => {
      const waiting: number[] = [];
      await waitFor(async () => {
        const startedAt = performance.now();
        await Promise.all(Array.from({ length: 200 }, () => Promise.all([health(), healthOfAll()])));
        expect(performance.now() - startedAt).toBeLessThan(ANSWERED_WITHIN_MS);
        waiting.push(await countLockWaits(api.database));
        return Math.max(...waiting) >= QUESTIONS;
      });
      expect(Math.max(...waiting)).toBe(QUESTIONS);
    }));

  it('is not known after half a minute; the process can do its work', async () => {
    await whileLocked(FIGURES, async () => {
      await expectSoon(
        details,
        expect.objectContaining({ workers_alive: 'unknown', workers_dead: 'unknown', stuck_settlements: 'unknown' }),
      );
      await expectSoon(health, expect.objectContaining({ database: 'up', redis: 'up', ...unknown }));
      await expectSoon(
        healthOfAll,
        expect.objectContaining({ workers: 'unknown', stuck: 'unknown', late_audits: 'unknown' }),
      );
    });
    await expectSoon(details, expect.objectContaining({ workers_alive: 0, stuck_settlements: 0 }));
  });
});
