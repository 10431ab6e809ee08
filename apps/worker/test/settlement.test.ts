import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Queue } from 'bullmq';
import { expectBooksToBalance } from '#testing/books.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { isSettling, seedAcceptedBets, settledOnce, settlementsOf } from '#testing/seeded-wagers.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { openTestQueue, type TestQueue } from '#testing/test-queue.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

const environment = withTestEnvironment(async () => {
  for (const one of opened ?? []) await one.close();
  await api?.close();
});
let api: TestPart;
let businesses: TestBusiness[];
let accountIds: number[];
let admin: Admin;
let opened: TestQueue[];
let queues: { settlement: Queue; portfolio: Queue };
let worker: Awaited<ReturnType<typeof startTestWorker>> | undefined;

const BOUND = 50;
const CHUNK = 100;

beforeAll(async () => {
  api = await startTestApi(environment, { SETTLEMENT_BOUND: String(BOUND) });
  businesses = await Promise.all([0, 1, 2].map(() => openTestBusiness(api.client)));
  accountIds = businesses.map(({ account }) => account.id);
  admin = await registerAdmin(api.client, environment.database);
  const [settlement, portfolio] = [openTestQueue(environment, 'settlement'), openTestQueue(environment, 'portfolio')];
  opened = [settlement, portfolio];
  queues = { settlement: settlement.queue, portfolio: portfolio.queue };
});

beforeEach(async () => {
  worker = undefined;
});

afterEach(async () => {
  await worker?.close();
});

const startWorker = async (overrides = {}) => {
  worker = await startTestWorker(environment, { SETTLEMENT_CHUNK: String(CHUNK), ...overrides });
};

const business = (index = 0) => businesses[index] as TestBusiness;
const seed = (name: string, bets: number, account = 0) =>
  seedAcceptedBets(environment.database, { accountId: accountIds[account] ?? 0, bets, name });
const settled = (reference: string) => waitFor(async () => !(await isSettling(environment.database, reference)));
const jobOf = async (queue: Queue, reference: string) => {
  const [wager] = await environment.database.query('SELECT id::text FROM wagers WHERE reference = $1', [reference]);
  const jobs = await queue.getJobs(['completed', 'waiting', 'active', 'delayed', 'failed']);
  return jobs.findLast((job) => job.data.wagerId === wager?.id);
};
const doneJob = (queue: Queue, reference: string) =>
  waitFor(async () => {
    const job = await jobOf(queue, reference);
    // The job is read again: it may have completed since.
    return (await job?.getState()) === 'completed' && jobOf(queue, reference);
  });

describe('the settlement of a large wager', () => {
  it('proceeds in chunks until every bet is settled once, and the job shows its progress', async () => {
    await seed('large', 730);
    expect(ok(await business().decide('win', 'large1')).message).toContain('680');
    expect(await settlementsOf(environment.database, 'large1')).toMatchObject({ settled: BOUND });
    await startWorker();
    await settled('large1');
    const job = await doneJob(queues.settlement, 'large1');
    expect([job?.name, job?.progress, job?.returnvalue]).toEqual(['settle-wager', 100, { settled: 680, total: 680 }]);
    expect(await settlementsOf(environment.database, 'large1')).toEqual(settledOnce(730));
    await expectBooksToBalance(environment.database);
  });

  it('leaves nothing for a job that runs again or late to move', async () => {
    await seed('again', 250);
    ok(await business().decide('loss', 'again1'));
    await startWorker();
    await settled('again1');
    const job = await doneJob(queues.settlement, 'again1');
    await environment.database.query('UPDATE outbox SET done_at = NULL WHERE id = $1', [job?.data.outboxId]);
    await queues.settlement.add('settle-wager', job?.data, { jobId: 'once-more' });
    await waitFor(async () => (await (await queues.settlement.getJob('once-more'))?.getState()) === 'completed');
    expect(await settlementsOf(environment.database, 'again1')).toEqual(settledOnce(250));
    await expectBooksToBalance(environment.database);
  });

  it('does not delay another tenant, although the worker has large wagers of two', async () => {
    await seed('huge', 200, 0);
    await seed('vast', 200, 1);
    await seed('small', 60, 2);
    for (const [index, reference] of ['huge1', 'vast1', 'small1'].entries())
      ok(await business(index).decide('win', reference));
    await startWorker({ SETTLEMENT_CHUNK: '1' });
    await Promise.all(['huge1', 'vast1', 'small1'].map(settled));
    // By the times of the trail entries: a fast worker ends all before the test could look.
    const after = await environment.database.query(
      `SELECT w.reference FROM bet_trails t JOIN wagers w ON w.account_id = t.account_id AND w.id = t.wager_id
        WHERE w.reference IN ('huge1', 'vast1') AND t.created_at > (SELECT max(s.created_at) FROM bet_trails s
              JOIN wagers v ON v.account_id = s.account_id AND v.id = s.wager_id WHERE v.reference = 'small1')
        GROUP BY w.reference ORDER BY w.reference`,
    );
    expect(after.map(({ reference }) => reference)).toEqual(['huge1', 'vast1']);
    expect(await settlementsOf(environment.database, 'huge1')).toEqual(settledOnce(200));
    expect(await settlementsOf(environment.database, 'small1')).toEqual(settledOnce(60));
    await expectBooksToBalance(environment.database);
  });

  it('goes back to its queue when the worker stops', async () => {
    await seed('stopped', 200);
    ok(await business().decide('win', 'stopped1'));
    await startWorker({ SETTLEMENT_CHUNK: '1' });
    await waitFor(async () => ((await jobOf(queues.settlement, 'stopped1'))?.progress ?? 0) !== 0);
    await worker?.close();
    expect(await (await jobOf(queues.settlement, 'stopped1'))?.getState()).toMatch(/^(delayed|waiting)$/);
    await startWorker();
    await settled('stopped1');
    expect(await settlementsOf(environment.database, 'stopped1')).toEqual(settledOnce(200));
    await expectBooksToBalance(environment.database);
  });

  it('is shared by several workers, and survives an emptied Redis', async () => {
    await seed('shared', 1_500);
    ok(await business().decide('half-win', 'shared1'));
    const others = await Promise.all([1, 2].map(() => startTestWorker(environment, { SETTLEMENT_CHUNK: '50' })));
    await waitFor(async () => ((await jobOf(queues.settlement, 'shared1'))?.progress ?? 0) !== 0);
    await environment.emptyRedis();
    // As after a restart of Redis: workers relay all undone entries when they connect again.
    await startWorker();
    await settled('shared1');
    await Promise.all(others.map((other) => other.close()));
    expect(await settlementsOf(environment.database, 'shared1')).toEqual(settledOnce(1_500));
    await expectBooksToBalance(environment.database);
  });
});

describe('work that a queue has lost', () => {
  const undo = (reference: string, change: string) =>
    environment.database.query(
      `UPDATE outbox o SET ${change} FROM wagers w WHERE w.reference = $1 AND w.account_id = o.account_id
          AND o.payload ->> 'wagerId' = w.id::text AND o.topic = 'settle-wager'`,
      [reference],
    );
  const isDone = async (reference: string) => {
    const rows = await environment.database.query(
      `SELECT 1 FROM outbox o JOIN wagers w ON w.account_id = o.account_id AND o.payload ->> 'wagerId' = w.id::text
        WHERE w.reference = $1 AND o.done_at IS NULL`,
      [reference],
    );
    return rows.length === 0;
  };

  it('is done again when the database was restored to a moment before its end', async () => {
    await seed('restored', 120);
    ok(await business().decide('win', 'restored1'));
    await startWorker();
    await settled('restored1');
    await doneJob(queues.settlement, 'restored1');
    await undo('restored1', `done_at = NULL, relayed_at = now() - interval '1 minute'`);
    await waitFor(() => isDone('restored1'));
    expect(await settlementsOf(environment.database, 'restored1')).toEqual(settledOnce(120));
  });

  it('is run by the next worker when its failed job is lost', async () => {
    await seed('forgotten', 120);
    ok(await business().decide('win', 'forgotten1'));
    await waitFor(async () => (await jobOf(queues.settlement, 'forgotten1')) !== undefined);
    await environment.emptyRedis();
    await undo('forgotten1', `failed_at = now(), failure = 'no room left'`);
    await startWorker();
    await settled('forgotten1');
    await waitFor(() => isDone('forgotten1'));
    await expectBooksToBalance(environment.database);
  });

  it('is ended by the job that settles the wager', async () => {
    await seed('twice', 120);
    ok(await business().decide('win', 'twice1'));
    await undo('twice1', `failed_at = now(), failure = 'no room left', relayed_at = now()`);
    await environment.emptyRedis();
    const forced = { account_id: accountIds[0], wager_reference: 'twice1', outcome: 'loss' };
    ok(await admin.client.post('/admin/wagers/force-update-outcome', forced), 200);
    await startWorker();
    await settled('twice1');
    await waitFor(() => isDone('twice1'));
    await expectBooksToBalance(environment.database);
  });
});

describe('the correction of a whole wager', () => {
  const force = async (outcome: string, reference: string) =>
    ok(
      await admin.client.post('/admin/wagers/force-update-outcome', {
        account_id: accountIds[0],
        wager_reference: reference,
        outcome,
        description: 'video referee',
      }),
      200,
    );
  const moneyOf = () =>
    environment.database.query(
      'SELECT user_id, balance, exposure FROM balances WHERE account_id = $1 ORDER BY user_id',
      [accountIds[0]],
    );

  it('moves chunk by chunk, can be undone exactly, and its trails name the admin', async () => {
    await seed('corrected', 400);
    const undecided = await moneyOf();
    await startWorker();
    ok(await business().decide('win', 'corrected1'));
    await settled('corrected1');
    const won = await moneyOf();
    for (const [outcome, expected] of [
      ['loss', undefined],
      ['win', won],
      ['undecided', undecided],
    ] as const) {
      await force(outcome, 'corrected1');
      await settled('corrected1');
      if (expected !== undefined) expect(await moneyOf()).toEqual(expected);
    }
    const [{ count } = {}] = await environment.database.query(
      `SELECT count(*)::int AS count FROM bet_trails t JOIN wagers w ON w.account_id = t.account_id AND w.id = t.wager_id
        WHERE w.reference = 'corrected1' AND t.description LIKE $1`,
      [`%by admin ${admin.id} (${admin.email}): video referee`],
    );
    expect(count).toBe(3 * 400);
    await expectBooksToBalance(environment.database);
  });

  it('ends with a check of every user of the wager: it disputes and logs what differs', async () => {
    await seed('checked', 200);
    ok(await business().decide('win', 'checked1'));
    await startWorker();
    await settled('checked1');
    const [wrong] = await environment.database.query(
      `UPDATE balances SET balance = balance + 7, exposure = exposure + 3
        WHERE (account_id, user_id) IN (SELECT p.account_id, p.user_id FROM positions p
          JOIN wagers w ON w.account_id = p.account_id AND w.id = p.wager_id WHERE w.reference = 'checked1' LIMIT 1)
        RETURNING user_id::text`,
    );
    await force('win', 'checked1');
    const job = await doneJob(queues.portfolio, 'checked1');
    expect(job?.returnvalue).toEqual({ checkedUsers: 40, differences: 2 });
    const { logs } = await queues.portfolio.getJobLogs(job?.id ?? '');
    expect(logs.join('\n')).toContain(`user ${wrong?.user_id}: balance is`);
    const logged = environment.logLines.filter((line) => line.includes('differs from the facts'));
    expect(logged).toHaveLength(2);
    expect(logged[0]).toContain(`"userId":${wrong?.user_id}`);
    expect(logged.map((line) => JSON.parse(line).level)).toEqual(['error', 'error']);
    const state = () => environment.database.query('SELECT user_id::text FROM disputes');
    expect(await state()).toEqual([{ user_id: wrong?.user_id }]);
    await environment.database.query(
      'UPDATE balances SET balance = balance - 7, exposure = exposure - 3 WHERE user_id = $1',
      [wrong?.user_id],
    );
    await force('loss', 'checked1');
    await waitFor(async () => (await state()).length === 0);
    await expectBooksToBalance(environment.database);
  });
});
