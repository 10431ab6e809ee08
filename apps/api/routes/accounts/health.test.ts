import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectSoon } from '#testing/console.js';
import { startPartOn } from '#testing/part-process.js';
import { startTestWorker } from '#testing/parts.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

// The worker settles every bet: a decision settles none itself.
const api = withTestApi({ settings: { SETTLEMENT_BOUND: '0', ALLOW_PRIVATE_WEBHOOKS: 'true', RATE_LIMITS: 'off' } });

let business: TestBusiness;
let other: TestBusiness;
let admin: Admin;
let accountId: number;

beforeAll(async () => {
  [business, other] = [await openTestBusiness(api.client), await openTestBusiness(api.client)];
  admin = await registerAdmin(api.client, api.database);
  for (const name of ['ann', 'bob']) await business.user(name);
  accountId = business.account.id;
});

const query = (sql: string, values?: unknown[]) => api.database.query(sql, values);
const healthOf = async ({ client }: Pick<TestBusiness, 'client'>) => ok(await client.get('/account/health'), 200).data;
const healthOfAll = async () => ok(await admin.client.get('/admin/health'), 200).data;
/** Without a credential. It must be ready all the time. */
const details = async () => ok(await api.client.get('/readyz'), 200).details;
/** Answers are shared for some seconds. */
const untilDetails = (expected: object) => expectSoon(details, expect.objectContaining(expected));
const untilHealth = (who: Pick<TestBusiness, 'client'>, expected: object) =>
  expectSoon(() => healthOf(who), expect.objectContaining(expected));
const untilHealthOfAll = (expected: object) => expectSoon(healthOfAll, expect.objectContaining(expected));

const allIsWell = {
  database: 'up',
  redis: 'up',
  background_work: 'none',
  stuck_settlements: [],
  failing_webhooks: [],
  late_audits: 0,
  overdue_work: 0,
  last_audit: null,
  disputed_balances: [],
  users_below_zero: [],
  pending_approvals: 0,
  dead_workers: null,
};

const startWorker = () => startPartOn(api.environment, 'worker');

describe('a worker', () => {
  const heartbeats = () => query('SELECT jobs FROM worker_heartbeats');

  it('is alive while its heartbeat comes, dead when it is killed, and gone when it stops', async () => {
    await untilHealth(business, allIsWell);
    await untilDetails({ workers_alive: 0, workers_dead: 0 });
    const process = await startWorker();
    await untilDetails({ workers_alive: 1, workers_dead: 0 });
    await untilHealth(business, { background_work: 'alive' });
    await untilHealthOfAll({ workers: [expect.objectContaining({ state: 'alive', jobs: expect.any(Array) })] });
    await process.kill();
    await query(`UPDATE worker_heartbeats SET beat_at = beat_at - interval '12 s'`); // three seconds before it is dead
    await untilDetails({ workers_alive: 0, workers_dead: 1 });
    await untilHealth(business, { background_work: 'none' });
    await untilHealthOfAll({ workers: [expect.objectContaining({ state: 'dead' })] });
    // Nothing of the workers is in the answer for a tenant.
    expect(Object.keys(await healthOf(business)).sort()).toEqual(Object.keys(allIsWell).sort());

    const worker = await startTestWorker(api.environment);
    await untilDetails({ workers_alive: 1, workers_dead: 1 });
    await worker.close();
    expect(await heartbeats()).toHaveLength(1);
    await query('DELETE FROM worker_heartbeats');
  });
});

describe('a settlement', () => {
  it('is stuck when its bets have not moved for a minute; its account and admins see it', async () => {
    await business.match('ann', 'bob', 10);
    ok(await business.decide('win'));
    await query(`UPDATE wagers SET settling_since = now() - interval '61 s' WHERE settling_since IS NOT NULL`);
    const stuck = { account_id: accountId, wager_reference: 'match', outcome: 'win', moved_at: null };
    await untilHealth(business, { stuck_settlements: [expect.objectContaining(stuck)] });
    await untilHealthOfAll({ stuck: [expect.objectContaining(stuck)] });
    await untilDetails({ stuck_settlements: 1 });
    for (const who of [other, admin]) expect((await healthOf(who)).stuck_settlements).toEqual([]);
    await waitFor(async () => {
      const told = ok(await business.client.get('/account-events?type=admin-read'), 200).data;
      return told.some(({ after }: { after: object }) => 'route' in after && after.route === 'GET /admin/health');
    });
  });

  it('is not stuck any more when a worker settles it', async () => {
    const worker = await startTestWorker(api.environment);
    await untilHealth(business, { stuck_settlements: [] });
    await worker.close();
    await untilHealthOfAll({ stuck: [] });
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
  it('is shown to its account and counted for all: work that waits, webhooks that fail', async () => {
    await query(
      `INSERT INTO outbox (account_id, topic, created_at) VALUES ($1, 'verification-mail', now() - interval '6 min')`,
      [accountId],
    );
    const body = { url: 'http://127.0.0.1:9/one', types: ['user.*'] };
    const { id } = ok(await business.client.post('/webhook-endpoints', body)).data;
    await query(`UPDATE webhook_endpoints SET state = 'failing', failing_since = now() WHERE id = $1`, [id]);
    const failing = { id, url: body.url, state: 'failing', failing_since: expect.any(String) };
    await untilHealth(business, { overdue_work: 1, failing_webhooks: [failing] });
    await untilDetails({ overdue_work: 1, failing_webhooks: 1 });
    await untilHealthOfAll({ overdue_work: 1 });
    expect(await healthOf(other)).toEqual(allIsWell);
  });

  it('is shown to its account and to an admin who asks: users, approvals, dead workers', async () => {
    const ann = await business.user('over');
    const wager = { wager_reference: 'third' };
    const { bet_id } = ok(await business.make('ann', 400, 2, wager)).data;
    ok(await business.accept('over', 400, { ...wager, bet_id }));
    await query('UPDATE balances SET balance = exposure - 2500000 WHERE user_id = $1', [ann]);
    await query('INSERT INTO disputes (account_id, user_id) VALUES ($1, $2)', [accountId, ann]);
    ok(
      await business.client.post('/change-requests', {
        operation: { type: 'update_wager_outcome', reference: 'third', outcome: 'loss' },
        reason: 'A late goal was taken back',
      }),
    );
    const named = { user_id: ann, user_reference: 'over' };
    const told = {
      disputed_balances: [named],
      users_below_zero: [{ ...named, available: -2.5 }],
      pending_approvals: 1,
    };
    await untilHealth(business, { disputed_balances: [named], pending_approvals: 1 });
    const asked = async () => ok(await admin.client.get(`/account/health?account_id=${accountId}`), 200).data;
    await expectSoon(asked, expect.objectContaining({ ...told, dead_workers: 0 }));
    expect((await healthOf(other)).disputed_balances).toEqual([]);
    expect(ok(await other.client.get(`/account/health?account_id=${accountId}`), 200).data).toMatchObject({
      disputed_balances: [],
      users_below_zero: [],
      pending_approvals: 0,
    });
  });

  it('is nothing of an account in the details of /readyz', async () => {
    const counts = { workers_alive: 0, workers_dead: 0, stuck_settlements: 0, late_audits: 0 };
    expect(await details()).toEqual({ ...counts, overdue_work: 1, failing_webhooks: 1 });
  });
});
