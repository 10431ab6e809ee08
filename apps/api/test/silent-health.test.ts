import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { expectSoon } from '#testing/console.js';
import { countLockWaits } from '#testing/databases.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

// Not on a cluster: a lock of a table on the coordinator holds up no node.
const api = withTestApi({ settings: { RATE_LIMITS: 'off' } });

let business: TestBusiness;
let admin: Admin;

beforeAll(async () => {
  business = await openTestBusiness(api.client);
  admin = await registerAdmin(api.client, api.database);
});

const health = async () => ok(await business.client.get('/account/health'), 200).data;
const healthOfAll = async () => ok(await admin.client.get('/admin/health'), 200).data;
/** It must be ready all the time. */
const details = async () => ok(await api.client.get('/readyz'), 200).details;

/** While the tables behind the figures are locked. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: api.database.url });
  await holder.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE worker_heartbeats, outbox IN ACCESS EXCLUSIVE MODE');
    await work();
  } finally {
    await holder.end();
  }
}

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
    whileLocked(async () => {
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
    await whileLocked(async () => {
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
