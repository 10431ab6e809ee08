import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { valueIn } from '#testing/metrics.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { isSettling, seedAcceptedBets, settledCount, settledOnce, settlementsOf } from '#testing/seeded-wagers.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { openTestQueue, type TestQueue } from '#testing/test-queue.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

// Ledger work that fails again and again: a trigger in the database refuses it.

const environment = withTestEnvironment(async () => {
  await settlements?.close();
  await api?.close();
});
let api: TestPart;
let business: TestBusiness;
let accountId: number;
let admin: Admin;
let settlements: TestQueue;
let worker: Awaited<ReturnType<typeof startTestWorker>>;

beforeAll(async () => {
  api = await startTestApi(environment, { SETTLEMENT_BOUND: '0' });
  business = await openTestBusiness(api.client);
  accountId = business.account.id;
  admin = await registerAdmin(api.client, environment.database);
  settlements = openTestQueue(environment, 'settlement');
});

const startWorker = () =>
  startTestWorker(
    environment,
    { SETTLEMENT_CHUNK: '100', WORKER_METRICS_PORT: '0' },
    { pauses: { firstMs: 1, longestMs: 20 } },
  );

beforeEach(async () => {
  environment.logLines.splice(0);
  worker = await startWorker();
});

afterEach(async () => {
  await worker.close();
  await accept();
});

const seed = (name: string, bets: number) => seedAcceptedBets(environment.database, { accountId, bets, name });
const settled = (reference: string) => waitFor(async () => !(await isSettling(environment.database, reference)));

/** Every try fails where it adds to the trail; `when` may let some pass. */
const refuseTrails = (code: string, when = 'true') =>
  environment.database.query(`
    CREATE SEQUENCE tries;
    CREATE FUNCTION refuse_it() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      IF EXISTS (SELECT FROM added) THEN
        IF ${when} THEN RAISE EXCEPTION 'no room left' USING ERRCODE = '${code}'; END IF;
      END IF;
      RETURN NULL; END $$;
    CREATE TRIGGER refuse_it AFTER INSERT ON bet_trails REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_it()`);
const refuseEndOf = (topic: 'check-portfolios' | 'settle-wager') =>
  environment.database.query(`
    CREATE FUNCTION refuse_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room left'; END $$;
    CREATE TRIGGER refuse_it BEFORE UPDATE ON outbox FOR EACH ROW
      WHEN (NEW.topic = '${topic}' AND NEW.done_at IS NOT NULL) EXECUTE FUNCTION refuse_it()`);
const accept = () =>
  environment.database.query('DROP FUNCTION IF EXISTS refuse_it CASCADE; DROP SEQUENCE IF EXISTS tries');

const metric = async (name: string, labels: Record<string, string>) =>
  valueIn(await (await fetch(`http://127.0.0.1:${worker.metricsPort}/metrics`)).text(), name, labels);
const failedTries = (queue: string) => metric('ledger_job_duration_seconds_count', { queue, end: 'failed' });
const stuck = (topic: string) => metric('ledger_outbox_stuck_entries', { topic });
const outboxOf = async (topic: string) => {
  const rows = await environment.database.query('SELECT * FROM outbox WHERE topic = $1 ORDER BY id DESC', [topic]);
  return rows[0];
};
const linesOf = (text: string) =>
  environment.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes(text));

describe('a settlement that fails again and again', () => {
  it.each([
    ['an unknown error', 'P0001'],
    ['a statement time-out', '57014'],
    ['a deadlock', '40P01'],
  ])('goes on by itself when the reason is gone: %s', async (_reason, code) => {
    const name = `stuck ${code} `;
    await seed(name, 250);
    await refuseTrails(code);
    ok(await business.decide('win', `${name}1`));
    await waitFor(async () => ((await failedTries('settlement')) ?? 0) >= 12);
    // A scrape leaves out a figure that takes a second.
    const failed = { topic: 'settle-wager', state: 'failed' };
    await waitFor(
      async () => (await stuck('settle-wager')) === 1 && (await metric('ledger_outbox_entries', failed)) === 0,
    );
    expect(await outboxOf('settle-wager')).toMatchObject({ failed_at: expect.any(Date), done_at: null });
    const [job] = await settlements.queue.getJobs(['delayed', 'active', 'waiting']);
    expect(job?.stacktrace?.length ?? 0).toBeLessThanOrEqual(3);
    expect(linesOf('settlement job is stuck')).toMatchObject([{ level: 'error', failuresInARow: 10 }]);
    expect(linesOf('settlement job failed').every(({ level }) => level === 'warn')).toBe(true);

    await accept();
    await settled(`${name}1`);
    expect(await settlementsOf(environment.database, `${name}1`)).toEqual(settledOnce(250));
    await waitFor(async () => (await stuck('settle-wager')) === 0);
    await waitFor(async () => (await outboxOf('settle-wager'))?.done_at !== null);
    expect(await outboxOf('settle-wager')).toMatchObject({ failed_at: null, failure: null });
    await expectBooksToBalance(environment.database);
  });

  it('is stuck when only its end cannot be written', async () => {
    await seed('unmarked', 60);
    await refuseEndOf('settle-wager');
    ok(await business.decide('win', 'unmarked1'));
    await settled('unmarked1');
    await waitFor(async () => (await stuck('settle-wager')) === 1);
    expect(linesOf('settlement job is stuck')).toMatchObject([{ failuresInARow: 10 }]);
    await accept();
    await waitFor(async () => (await stuck('settle-wager')) === 0);
    expect(await outboxOf('settle-wager')).toMatchObject({ done_at: expect.any(Date), failed_at: null });
  });

  it('counts from zero after each chunk that it settled', async () => {
    await seed('slow', 350);
    // Sequences forget nothing in a rollback: every seventh try passes. Behind each chunk but the last another has begun, so a
    // run makes two tries, and three when its first one passes.
    await refuseTrails('P0001', `nextval('tries') % 7 <> 0`);
    ok(await business.decide('loss', 'slow1'));
    await settled('slow1');
    const inARow = [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 5, 6];
    expect(await failedTries('settlement')).toBe(inARow.length);
    expect(linesOf('settlement job failed').map(({ failuresInARow }) => failuresInARow)).toEqual(inARow);
    expect(linesOf('settlement job is stuck')).toEqual([]);
    await expectBooksToBalance(environment.database);
  });

  it('is no longer stuck after the first chunk, also when Redis forgot how often it failed', async () => {
    await seed('forgotten', 350);
    await refuseTrails('P0001');
    ok(await business.decide('win', 'forgotten1'));
    await waitFor(async () => (await stuck('settle-wager')) === 1);
    await worker.close();
    await environment.emptyRedis();
    await accept();
    // The first chunk passes, all others fail.
    await refuseTrails('P0001', `nextval('tries') > 1`);
    worker = await startWorker();
    await waitFor(async () => (await settledCount(environment.database, 'forgotten1')) === 100);
    await waitFor(async () => (await stuck('settle-wager')) === 0);
    expect(await isSettling(environment.database, 'forgotten1')).toBe(true);
    await accept();
    await settled('forgotten1');
    await expectBooksToBalance(environment.database);
  });
});

describe('a check of portfolios that fails again and again', () => {
  it('goes on by itself when the reason is gone', async () => {
    await seed('checked', 60);
    ok(await business.decide('win', 'checked1'));
    await settled('checked1');
    await refuseEndOf('check-portfolios');
    const forced = { account_id: accountId, wager_reference: 'checked1', outcome: 'loss' };
    ok(await admin.client.post('/admin/wagers/force-update-outcome', forced), 200);
    await waitFor(async () => ((await failedTries('portfolio')) ?? 0) >= 12);
    await waitFor(async () => (await stuck('check-portfolios')) === 1);
    await accept();
    await waitFor(async () => (await stuck('check-portfolios')) === 0);
    expect(await outboxOf('check-portfolios')).toMatchObject({ done_at: expect.any(Date), failed_at: null });
    await expectBooksToBalance(environment.database);
  });
});
