import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type PartProcess, startPartProcess } from '#testing/part-process.js';
import { startTestWorker } from '#testing/parts.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

// The worker settles every bet: a decision settles none itself.
const api = withTestApi({ settings: { SETTLEMENT_BOUND: '0', ALLOW_PRIVATE_WEBHOOKS: 'true', RATE_LIMITS: 'off' } });

/** 15 seconds without a heartbeat, an answer that is shared for 5, and a machine that is busy. */
const DEAD_WITHIN_MS = 30_000;

let business: TestBusiness;
let other: TestBusiness;
let admin: Admin;
let accountId: number;

beforeAll(async () => {
  [business, other] = [await openTestBusiness(api.client), await openTestBusiness(api.client)];
  admin = await registerAdmin(api.client, api.database);
  for (const name of ['ann', 'bob']) await business.user(name);
  accountId = ok(await business.client.get('/auth/account/me'), 200).data.id;
});

const query = (sql: string, values?: unknown[]) => api.database.query(sql, values);
const healthOf = async ({ client }: Pick<TestBusiness, 'client'>) => ok(await client.get('/account/health'), 200).data;
const healthOfAll = async () => ok(await admin.client.get('/admin/health'), 200).data;
/** Without a credential. It must be ready all the time. */
const details = async () => ok(await api.client.get('/readyz'), 200).details;
/** An answer is shared for some seconds. */
const untilDetails = (expected: object) =>
  waitFor(
    async () => {
      const found = await details();
      return Object.entries(expected).every(([name, value]) => found[name] === value);
    },
    { timeoutMs: DEAD_WITHIN_MS },
  );

const allIsWell = {
  ...{ database: 'up', redis: 'up', background_work: 'none', stuck_settlements: [], failing_webhooks: [] },
  ...{ late_audits: 0, overdue_work: 0, last_audit: null },
};

/** A worker in a process of its own. */
const startWorker = (): Promise<PartProcess> =>
  startPartProcess('worker', {
    ...api.environment.addresses,
    REDIS_URL: api.environment.redisUrl,
    REDIS_PREFIX: api.environment.redisPrefix,
    DATA_DIR: api.environment.folder,
    LOG_LEVEL: 'fatal',
  });

describe('a worker', () => {
  it('is alive while its heartbeat comes, dead when it is killed, and gone when it stops', async () => {
    // The first statements of a process may take too long.
    await waitFor(async () => (await healthOf(business)).last_audit !== 'unknown');
    expect(await healthOf(business)).toEqual(allIsWell);
    expect(await details()).toMatchObject({ workers_alive: 0, workers_dead: 0 });
    const process = await startWorker();
    await untilDetails({ workers_alive: 1, workers_dead: 0 });
    expect((await healthOf(business)).background_work).toBe('alive');
    expect((await healthOfAll()).workers).toMatchObject([{ state: 'alive', jobs: expect.any(Array) }]);
    await process.kill();
    await untilDetails({ workers_alive: 0, workers_dead: 1 });
    expect((await healthOf(business)).background_work).toBe('none');
    expect((await healthOfAll()).workers).toMatchObject([{ state: 'dead' }]);
    // Nothing of the workers is in the answer for a tenant.
    expect(Object.keys(await healthOf(business)).sort()).toEqual(Object.keys(allIsWell).sort());

    const worker = await startTestWorker(api.environment);
    await untilDetails({ workers_alive: 1, workers_dead: 1 });
    await worker.close();
    expect(await query('SELECT FROM worker_heartbeats')).toHaveLength(1);
    await query('DELETE FROM worker_heartbeats');
  });
});

describe('a settlement', () => {
  const isStuck = async (who: Pick<TestBusiness, 'client'>) => (await healthOf(who)).stuck_settlements.length > 0;

  it('is stuck when its bets have not moved for a minute; its account and admins see it', async () => {
    await business.match('ann', 'bob', 10);
    ok(await business.decide('win'));
    expect(await isStuck(business)).toBe(false);
    await query(`UPDATE wagers SET settling_since = now() - interval '61 s' WHERE settling_since IS NOT NULL`);
    const stuck = { account_id: accountId, wager_reference: 'match', outcome: 'win', moved_at: null };
    expect((await healthOf(business)).stuck_settlements).toMatchObject([stuck]);
    expect(await isStuck(other)).toBe(false);
    expect(await isStuck(admin)).toBe(false);
    expect((await healthOfAll()).stuck).toMatchObject([stuck]);
    await waitFor(async () => {
      const told = ok(await business.client.get('/account-events?type=admin-read'), 200).data;
      return told.some(({ after }: { after: object }) => 'route' in after && after.route === 'GET /admin/health');
    });
    await untilDetails({ stuck_settlements: 1 });
  });

  it('is not stuck while a chunk has moved bets, and again when the last one is a minute old', async () => {
    const moved = (age: string) =>
      query(`UPDATE outbox SET moved_at = now() - $1::interval WHERE topic = 'settle-wager'`, [age]);
    await moved('50 s');
    expect(await isStuck(business)).toBe(false);
    await moved('61 s');
    expect((await healthOf(business)).stuck_settlements).toMatchObject([{ moved_at: expect.any(String) }]);
  });

  it('is not stuck any more when a worker settles it', async () => {
    const worker = await startTestWorker(api.environment);
    await waitFor(async () => !(await isStuck(business)));
    await worker.close();
    expect((await healthOfAll()).stuck).toEqual([]);
  });

  it('notes when a chunk has moved bets', async () => {
    for (let bets = 0; bets < 3; bets += 1) {
      const wager = { wager_reference: 'second' };
      const { bet_id } = ok(await business.make('ann', 1, 2, wager)).data;
      ok(await business.accept('bob', 1, { ...wager, bet_id }));
    }
    ok(await business.decide('loss', 'second'));
    const worker = await startTestWorker(api.environment, { SETTLEMENT_CHUNK: '1' });
    const movedEntries = () =>
      query(`SELECT FROM outbox WHERE topic = 'settle-wager' AND done_at IS NOT NULL AND moved_at > created_at`);
    await waitFor(async () => (await movedEntries()).length === 1);
    await worker.close();
  });
});

describe('what else goes wrong', () => {
  it('is shown to its account: work that waits, a night that was missed', async () => {
    await query(
      `INSERT INTO outbox (account_id, topic, created_at, failed_at)
       VALUES ($1, 'verification-mail', now() - interval '6 min', NULL), ($1, 'settle-wager', now() - interval '6 min', now()),
              ($1, 'verification-mail', now() - interval '6 min', now()), ($1, 'make-export', now() - interval '6 min', NULL),
              ($1, 'cancel-offers', now() - interval '4 min', NULL)`,
      [accountId],
    );
    await query(
      `INSERT INTO account_closings (account_id, day, closed_at, last_bet_id, last_trail_id, last_transaction_id, bets,
                                     transactions, audit_due_since)
       VALUES ($1, '1970-01-01', now() - interval '2 days', 0, 0, 0, 0, 0, now() - interval '2 days')`,
      [accountId],
    );
    expect(await healthOf(business)).toMatchObject({ overdue_work: 2, late_audits: 1 });
    expect(await healthOf(other)).toEqual(allIsWell);
    await untilDetails({ overdue_work: 2, late_audits: 1 });
    expect(await healthOfAll()).toMatchObject({ overdue_work: 2, late_audits: 1 });
    await query(`UPDATE outbox SET done_at = now() WHERE account_id = $1`, [accountId]);
    await query('UPDATE account_closings SET audit_due_since = NULL WHERE account_id = $1', [accountId]);
    expect(await healthOf(business)).toMatchObject({ overdue_work: 0, late_audits: 0 });
  });

  it('is shown to its account: webhooks that fail, but not those that it has disabled', async () => {
    const ids: number[] = [];
    for (const name of ['one', 'two', 'three', 'four']) {
      const body = { url: `http://127.0.0.1:9/${name}`, types: ['user.*'] };
      ids.push(ok(await business.client.post('/webhook-endpoints', body)).data.id);
    }
    const [failing, gone, disabled] = ids;
    await query(`UPDATE webhook_endpoints SET state = 'failing', failing_since = now() WHERE id = $1`, [failing]);
    const disable = `UPDATE webhook_endpoints SET state = 'disabled', disabled_reason = $2 WHERE id = $1`;
    await query(disable, [gone, 'gone']);
    await query(disable, [disabled, 'requested']);
    const { failing_webhooks: found } = await healthOf(business);
    expect(found).toMatchObject([
      { id: failing, url: 'http://127.0.0.1:9/one', state: 'failing', failing_since: expect.any(String) },
      { id: gone, state: 'disabled' },
    ]);
    expect((await healthOf(other)).failing_webhooks).toEqual([]);
    await untilDetails({ failing_webhooks: 2 });
  });
});

describe('the details of /readyz', () => {
  it('are counts up to 1000, and nothing of an account', async () => {
    await query(
      `INSERT INTO outbox (account_id, topic, created_at)
       SELECT $1, 'verification-mail', now() - interval '1 hour' FROM generate_series(1, 1001)`,
      [accountId],
    );
    await untilDetails({ overdue_work: 1_000 });
    expect(await details()).toEqual({
      ...{ workers_alive: 0, workers_dead: 0, stuck_settlements: 0, late_audits: 0, overdue_work: 1_000 },
      failing_webhooks: expect.any(Number),
    });
    await query(`UPDATE outbox SET done_at = now() WHERE account_id = $1`, [accountId]);
  });
});

describe('what PostgreSQL does not answer in time', () => {
  let holder: pg.Client;

  beforeAll(async () => {
    holder = new pg.Client({ connectionString: api.database.url });
    await holder.connect();
  });

  afterAll(() => holder?.end());

  it('is not known, and holds up no answer; the process can do its work', async () => {
    await holder.query('BEGIN; LOCK TABLE worker_heartbeats, outbox IN ACCESS EXCLUSIVE MODE');
    await untilDetails({ workers_alive: 'unknown', workers_dead: 'unknown', stuck_settlements: 'unknown' });
    const startedAt = performance.now();
    expect(await healthOf(business)).toEqual({
      ...{ database: 'up', redis: 'up', background_work: 'unknown', stuck_settlements: 'unknown' },
      ...{ failing_webhooks: 'unknown', late_audits: 'unknown', overdue_work: 'unknown', last_audit: 'unknown' },
    });
    expect(await healthOfAll()).toMatchObject({ workers: 'unknown', stuck: 'unknown', late_audits: 'unknown' });
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    await holder.query('ROLLBACK');
    await untilDetails({ workers_alive: 0, stuck_settlements: 0 });
  });
});
