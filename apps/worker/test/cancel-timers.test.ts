import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fireTimers } from '#ledger/cancel-timers.js';
import { connectDatabase, type Database } from '#platform/database/database.js';
import { expectBooksToBalance } from '#testing/books.js';
import { type PartProcess, startPartOn } from '#testing/part-process.js';
import { startTestWorker } from '#testing/parts.js';
import { seedOffers } from '#testing/seeded-offers.js';
import { accountOfUser, ok, openTestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

// Timers are made due by SQL. A worker runs only where a test starts one.

const ROUNDS = 5;
const USERS = 40;
const KILL_TEST_MS = 90_000;

const api = withTestApi({ settings: { RATE_LIMITS: 'account=200000/10s,address=200000/10s' } });
const business = withFreshBusiness(api);
let database: Database;
let accountId: number;
const workers: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await connectDatabase({ url: api.database.url, connections: 2, onConnectionError: () => undefined });
});

afterAll(() => database?.disconnect());

beforeEach(async () => {
  accountId = await accountOfUser(api.database, await business.user('ann'));
  await business.user('bob');
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  await expectBooksToBalance(api.database);
});

const startWorker = async () => void workers.push(await startTestWorker(api.environment));
const query = (sql: string) => api.database.query(sql);
const armFor = (user: string | null, timeout_s = 300) =>
  business.client.post('/bets/cancel-after', { timeout_s, ...(user !== null && { user_reference: user }) });
const arm = async (user: string | null) => Date.parse(ok(await armFor(user), 200).data.fires_at);
const letFire = (scope = 'true') =>
  query(
    `UPDATE cancel_timers SET fires_at = now() WHERE account_id = ${accountId} AND fires_at IS NOT NULL AND ${scope}`,
  );
const scopeOf = (user: string) => `(SELECT id FROM users WHERE account_id = ${accountId} AND reference = '${user}')`;
const exposureOf = async (user: string) => (await business.moneyOf(user)).exposure;
const has = async (condition: string) => (await query(`SELECT FROM ${condition}`)).length > 0;

/** What each worker does twice a second. */
const fire = () => fireTimers(database);

interface TimerRow {
  readonly user: string;
  readonly firesAt: number;
  readonly firings: string | null;
}

const timers = async () =>
  (await query(`
    SELECT u.reference AS user, floor(extract(epoch FROM t.fires_at) * 1000)::float8 AS "firesAt", t.fired_up_to::text AS firings
      FROM cancel_timers t JOIN users u ON u.account_id = t.account_id AND u.id = t.scope
     WHERE t.account_id = ${accountId}`)) as unknown as TimerRow[];

describe('a call that moves a timer which is due', () => {
  it('comes before it fires or after, and always it is armed for the time of the answer', async () => {
    const names = Array.from({ length: USERS }, (_, index) => `user ${index}`);
    await Promise.all(names.map((name) => business.user(name)));
    await startWorker();
    let early = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const made of await Promise.all(names.map((name) => business.make(name, 1)))) ok(made);
      await Promise.all(names.map(arm));
      const before = new Map((await timers()).map(({ user, firings }) => [user, firings]));
      await letFire();
      const calls = names.map(arm);
      // Some calls have come, and others not.
      await Promise.race(calls);
      await fire();
      const answers = await Promise.all(calls);
      const after = await timers();
      expect(after.map(({ user, firesAt }) => firesAt === answers[names.indexOf(user)])).toEqual(names.map(() => true));
      const fired = after.filter(({ user, firings }) => firings !== before.get(user)).map(({ user }) => user);
      await waitFor(async () => !(await has(`cancel_timers WHERE canceling_after IS NOT NULL`)));
      for (const name of names) expect([name, await exposureOf(name)]).toEqual([name, fired.includes(name) ? 0 : 1]);
      await letFire();
      const firings = new Set(after.map((timer) => timer.firings));
      await waitFor(async () =>
        (await timers()).every((timer) => timer.firings !== null && !firings.has(timer.firings)),
      );
      for (const name of names) await waitFor(async () => (await exposureOf(name)) === 0);
      early += fired.length;
    }
    expect(early).toBeGreaterThan(0);
    expect(early).toBeLessThan(ROUNDS * USERS);
  }, 120_000);

  it('and that the worker waits for keeps it from firing', async () => {
    ok(await business.make('ann', 10));
    await arm(null);
    await letFire();
    await withPostgresClient({ connectionString: api.database.url }, async (mover) => {
      await mover.query(
        `BEGIN; UPDATE cancel_timers SET fires_at = now() + interval '1 hour' WHERE account_id = ${accountId}`,
      );
      const firing = fire();
      await waitFor(() => has(`pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`));
      await mover.query('COMMIT');
      await firing;
    });
    expect(await query(`SELECT fired_at FROM cancel_timers WHERE account_id = ${accountId}`)).toEqual([
      { fired_at: null },
    ]);
  });
});

describe('a timer that fires', () => {
  it("leaves the timers of others, their offers, and other accounts'", async () => {
    const other = await openTestBusiness(api.client);
    await other.user('ann');
    ok(await other.make('ann', 10));
    ok(await business.make('ann', 10));
    ok(await business.make('bob', 20));
    await arm('ann');
    const armed = await arm('bob');
    await letFire(`scope = ${scopeOf('ann')}`);
    await startWorker();
    await waitFor(async () => (await exposureOf('ann')) === 0);
    expect([await exposureOf('bob'), (await other.moneyOf('ann')).exposure]).toEqual([20, 10]);
    expect((await timers()).find(({ user }) => user === 'bob')).toEqual({ user: 'bob', firesAt: armed, firings: null });
  });

  it('cancels on all wagers, many on one, what was there when it fired, although no worker ran then', async () => {
    const each = { accountId, userReference: 'ann', amount: 10_000 };
    await seedOffers(api.database, { ...each, wagerReference: 'full', count: 120 });
    for (let wager = 0; wager < 70; wager += 1) {
      await seedOffers(api.database, { ...each, wagerReference: `wager ${wager}`, count: 1 });
    }
    await arm(null);
    await letFire();
    await fire();
    expect(
      await has(`cancel_timers WHERE account_id = ${accountId} AND canceling_after = 0 AND fires_at IS NULL`),
    ).toBe(true);
    ok(await business.make('ann', 7, 2, { wager_reference: 'full' }));
    ok(await business.make('ann', 8, 2, { wager_reference: 'wager 69' }));
    await startWorker();
    await waitFor(async () => (await exposureOf('ann')) === 15);
    const canceled = await query(
      `SELECT count(*)::int, count(DISTINCT bet_id)::int AS bets FROM bet_trails
        WHERE account_id = ${accountId} AND offer_status = 'canceled'`,
    );
    expect(canceled).toEqual([{ count: 190, bets: 190 }]);
    await waitFor(async () => !(await has(`cancel_timers WHERE canceling_after IS NOT NULL`)));
  });
});

it(
  'what a worker leaves that is killed between firing and canceling, the next one cancels, once',
  async () => {
    for (let made = 0; made < 3; made += 1) ok(await business.make('ann', 10));
    await arm(null);
    const killed: PartProcess = await startPartOn(api.environment, 'worker');
    workers.push({ close: () => killed.kill() });
    const waits = `pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await withPostgresClient({ connectionString: api.database.url }, async (holder) => {
      await holder.query('BEGIN; SELECT FROM wagers FOR NO KEY UPDATE');
      await letFire();
      await waitFor(() => has(`cancel_timers WHERE account_id = ${accountId} AND canceling_after IS NOT NULL`));
      await waitFor(() => has(waits));
      await killed.kill();
      await holder.query('ROLLBACK');
    });
    await waitFor(async () => !(await has(`${waits} OR state = 'active' AND pid <> pg_backend_pid()`)));
    expect(await exposureOf('ann')).toBe(30);
    await startWorker();
    await waitFor(async () => (await exposureOf('ann')) === 0);
    const reasons = ok(await business.client.get('/events?types=offer.canceled'), 200).data;
    expect(reasons.map(({ reason }: { reason: string }) => reason)).toEqual(['timer', 'timer', 'timer']);
  },
  KILL_TEST_MS,
);
