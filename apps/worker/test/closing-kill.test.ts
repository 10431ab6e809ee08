import { afterEach, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { type PartProcess, startPartOn } from '#testing/part-process.js';
import { ok, openTestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

const api = withTestApi();
const OFFERS = 3;
/** The dead worker holds its job for six seconds. */
const TEST_MS = 90_000;

const workers: PartProcess[] = [];

afterEach(() => Promise.all(workers.map((worker) => worker.kill())));

const startWorker = async (): Promise<PartProcess> => {
  const worker = await startPartOn(api.environment, 'worker');
  workers.push(worker);
  return worker;
};

const has = async (condition: string) => (await api.database.query(`SELECT FROM ${condition}`)).length > 0;
const waitsForLock = `pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
const closed = `wagers WHERE reference = 'match' AND status = 'closed'`;
const statuses = () =>
  api.database.query('SELECT offer_status AS status, count(*)::int FROM bets GROUP BY 1 ORDER BY 1');

it(
  'what a worker leaves that is killed between closing a wager and canceling its offers, the next one cancels, once',
  async () => {
    const business = await openTestBusiness(api.client);
    await business.user('ann');
    const bound = { persistence: 'cancel_on_suspend' };
    for (let made = 0; made < OFFERS; made += 1) ok(await business.make('ann', 10, 2, bound));
    ok(await business.make('ann', 1));
    const killed = await startWorker();
    // A cancel reads balances before it decides. It sends its write and COMMIT in one message: PostgreSQL would commit what a
    // worker had sent that is killed later.
    await withPostgresClient({ connectionString: api.database.url }, async (holder) => {
      await holder.query('BEGIN; SELECT FROM balances FOR NO KEY UPDATE');
      const closes_at = new Date(Date.now() + 300).toISOString();
      ok(await business.client.put('/wagers/match', { closes_at }), 200);
      await waitFor(() => has(closed));
      await waitFor(() => has(waitsForLock));
      await killed.kill();
      await holder.query('ROLLBACK');
    });
    await waitFor(async () => !(await has(`${waitsForLock} OR state = 'active' AND pid <> pg_backend_pid()`)));
    expect(await statuses()).toEqual([{ status: 'requesting', count: OFFERS + 1 }]);
    // Nobody waits for the worker: they are gone for all who read.
    expect(ok(await business.client.get('/bets/open-bets'), 200).data).toHaveLength(1);
    await startWorker();
    await waitFor(async () => (await business.moneyOf('ann')).exposure === 1, { timeoutMs: 60_000 });
    expect(await statuses()).toEqual([
      { status: 'canceled', count: OFFERS },
      { status: 'requesting', count: 1 },
    ]);
    await expectBooksToBalance(api.database);
  },
  TEST_MS,
);
