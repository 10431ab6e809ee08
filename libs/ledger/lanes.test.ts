import { describe, expect, it } from '@jest/globals';
import type { Operation } from '#core/operation.js';
import type { Deadline } from '#platform/process/deadline.js';
import { expectBooksToBalance } from '#testing/books.js';
import { countLockWaits, holding } from '#testing/databases.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { seedOffers } from '#testing/seeded-offers.js';
import { waitFor } from '#testing/wait-for.js';
import { createLanes, type LaneOptions } from './lanes.js';
import { createLedger, LedgerRefusal } from './ledger.js';
import { singleTask, type Task } from './task.js';

const fixture = useLedgerDatabase();
const ACCOUNT = 1n;
const unpresented = { present: (answer: object) => answer };

const fund = (reference: string, amount = 1_000_000n): Operation =>
  ({ type: 'fund_user', user: { reference }, amount, description: 'x' }) as Operation;

/** Another transaction locks the whole table of balances, so that each lane waits with its present group. */
const holdingBalances = <Result>(work: (release: () => Promise<unknown>) => Promise<Result>) =>
  holding(fixture.environment.database, 'LOCK TABLE balances IN ACCESS EXCLUSIVE MODE', work);

const waitingForLocks = () => countLockWaits(fixture.environment.database);

const transactions = async () =>
  (
    await fixture.environment.database.query(
      'SELECT count(*)::int AS n, count(DISTINCT xmin::text)::int AS commits FROM transactions',
    )
  )[0];

const lanesWith = (options: Partial<LaneOptions> = {}) =>
  createLanes({ work: fixture.work, database: fixture.database, logger: fixture.environment.logger, ...options });
const taskOf = (operation: Operation, accountId = ACCOUNT) => singleTask(accountId, operation);
const patient: Deadline = { at: Number.POSITIVE_INFINITY, isGone: () => false };

describe('a lane', () => {
  it('takes all that waits into one transaction, refuses what is too much, and drains', async () => {
    const lanes = lanesWith({ maxWaitingWeight: 5 });
    const ledger = createLedger(lanes);
    await holdingBalances(async (release) => {
      const before = await transactions();
      const running = ledger.execute(ACCOUNT, fund('ann'), unpresented);
      await waitFor(async () => (await waitingForLocks()) === 1);
      const waiting = Array.from({ length: 5 }, () => ledger.execute(ACCOUNT, fund('bob'), unpresented));
      await expect(ledger.execute(ACCOUNT, fund('bob'), unpresented)).rejects.toMatchObject({
        code: 'overloaded',
        retryAfterSeconds: 1,
      });
      await release();
      await lanes.drained();
      await Promise.all([running, ...waiting]);
      const after = await transactions();
      expect(Number(after?.n) - Number(before?.n)).toBe(6);
      expect(Number(after?.commits) - Number(before?.commits)).toBe(2);
      await expectBooksToBalance(fixture.environment.database);
    });
  });

  it('takes what its callers send after a group into the next one', async () => {
    const groups: number[] = [];
    const run = (tasks: readonly Task[]) => {
      groups.push(tasks.length);
      return fixture.work.run(tasks);
    };
    const lanes = lanesWith({ work: { ...fixture.work, run } });
    const add = (reference: string) => lanes.add(taskOf(fund(reference)));
    const first = add('ann');
    const twice = ['ann', 'bob'].map((reference) => add(reference).then(() => add(reference)));
    await first;
    await Promise.all([add('cat'), ...twice]);
    expect(groups).toEqual([1, 2, 3]);
  });

  it('does not let a refusal or a fault of one caller touch another', async () => {
    const ledger = createLedger(lanesWith());
    await holdingBalances(async (release) => {
      const running = ledger.execute(ACCOUNT, fund('ann'), unpresented);
      await waitFor(async () => (await waitingForLocks()) === 1);
      // One group: a refusal by the core, one that PostgreSQL refuses (a text that it cannot store), and a good one.
      const refused = ledger.execute(ACCOUNT, fund('nobody'), unpresented);
      const broken = ledger.execute(ACCOUNT, { ...fund('bob'), description: 'a\0b' } as Operation, unpresented);
      const good = ledger.execute(ACCOUNT, fund('bob', 7n), unpresented);
      const settled = Promise.allSettled([refused, broken, good]);
      await release();
      const [first, second, third] = await settled;
      expect(first).toMatchObject({ status: 'rejected', reason: expect.any(LedgerRefusal) });
      expect(second).toMatchObject({ status: 'rejected' });
      expect(third).toMatchObject({ status: 'fulfilled' });
      await running;
      await expectBooksToBalance(fixture.environment.database);
    });
  });

  it('runs a task that is added in the continuation of another', async () => {
    const lanes = lanesWith();
    const second = lanes.add(taskOf(fund('ann'))).then(() => lanes.add(taskOf(fund('bob'))));
    expect(await second.then(() => lanes.add(taskOf(fund('cat'))))).toMatchObject({ kind: 'done' });
    await lanes.drained();
  });

  it('drops what waits past its deadline, and what has lost its caller, without running it', async () => {
    const lanes = lanesWith();
    await holdingBalances(async (release) => {
      const running = lanes.add(taskOf(fund('ann')), patient);
      await waitFor(async () => (await waitingForLocks()) === 1);
      const before = await transactions();
      const late = lanes.add(taskOf(fund('bob')), { at: performance.now() + 20, isGone: () => false });
      const abandoned = lanes.add(taskOf(fund('bob')), { ...patient, isGone: () => true });
      const reasons: unknown[] = [];
      for (const dropped of [late, abandoned]) void dropped.catch((error: unknown) => reasons.push(error));
      await waitFor(() => reasons.length === 2);
      expect(reasons).toMatchObject([{ code: 'overloaded' }, { code: 'overloaded' }]);
      await release();
      await running;
      expect(Number((await transactions())?.n) - Number(before?.n)).toBe(1);
    });
  });

  it('refuses at once what it could not begin before its deadline', async () => {
    const lanes = lanesWith();
    await holdingBalances(async (release) => {
      const running = lanes.add(taskOf(fund('ann')));
      await waitFor(async () => (await waitingForLocks()) === 1);
      const waiting = Array.from({ length: 500 }, () => lanes.add(taskOf(fund('ann'))));
      const soon = { at: performance.now() + 10, isGone: () => false };
      await expect(lanes.add(taskOf(fund('bob')), soon)).rejects.toMatchObject({ code: 'overloaded' });
      await release();
      await Promise.all([running, ...waiting]);
      await lanes.drained();
    });
  });

  it('runs tasks whose rows are locked when the locks are free, while others go on', async () => {
    const lanes = lanesWith();
    await holding(
      fixture.environment.database,
      'SELECT FROM balances WHERE user_id = 1 FOR UPDATE',
      async (release) => {
        const locked = lanes.add(taskOf(fund('ann')));
        expect(await lanes.add(taskOf(fund('bob')))).toMatchObject({ kind: 'done' });
        await release();
        expect(await locked).toMatchObject({ kind: 'done' });
      },
    );
  });

  it('runs a large decision beside the others, which wait only for its own rows', async () => {
    const { environment } = fixture;
    const count = 100;
    const large = { accountId: Number(ACCOUNT), wagerReference: 'large', userReference: 'ann', count, amount: 1 };
    await seedOffers(environment.database, large);
    const inLane: Task[] = [];
    const run = (group: readonly Task[]) => {
      inLane.push(...group);
      return fixture.work.run(group);
    };
    const lanes = lanesWith({ work: { ...fixture.work, run } });
    // The decision cannot write its trail entries. A funding has none.
    await holding(fixture.environment.database, 'LOCK TABLE bet_trails IN SHARE MODE', async (release) => {
      const decision = { type: 'update_wager_outcome', reference: 'large', outcome: 'void', bound: 500 } as const;
      const task = taskOf({ ...decision, pendingBefore: count });
      const deciding = lanes.add(task);
      await waitFor(async () => (await waitingForLocks()) === 1);
      expect(await lanes.add(taskOf(fund('bob')))).toMatchObject({ kind: 'done' });
      const ofItsUser = lanes.add(taskOf(fund('ann')));
      await waitFor(async () => (await waitingForLocks()) === 2);
      await release();
      expect(await deciding).toMatchObject({ kind: 'done', answer: { settledCount: count, remainingCount: 0 } });
      expect(await ofItsUser).toMatchObject({ kind: 'done' });
      await lanes.drained();
      expect(inLane).toHaveLength(2);
      expect(inLane).not.toContain(task);
      await expectBooksToBalance(environment.database);
    });
  });

  it('logs an operation that was done after its caller had gone', async () => {
    const lanes = lanesWith();
    await holdingBalances(async (release) => {
      let isGone = false;
      const done = lanes.add(taskOf(fund('ann')), { ...patient, isGone: () => isGone });
      await waitFor(async () => (await waitingForLocks()) === 1);
      isGone = true;
      await release();
      expect(await done).toMatchObject({ kind: 'done' });
      expect(fixture.environment.logLines.join('')).toContain('an operation was done after its caller had gone');
    });
  });
});

describe('a group that fails', () => {
  const unstorable = { ...fund('bob'), description: 'a\0b' } as Operation;

  /** Runs the operations as one group behind another one, and counts how often each of them was run. */
  async function runTogether(operations: readonly Operation[]) {
    const groups: (readonly Task[])[] = [];
    const run = (group: readonly Task[]) => {
      groups.push(group);
      return fixture.work.run(group);
    };
    const lanes = lanesWith({ work: { ...fixture.work, run } });
    const tasks = operations.map((operation) => taskOf(operation));
    const results = await holdingBalances(async (release) => {
      const before = lanes.add(taskOf(fund('cat')));
      await waitFor(async () => (await waitingForLocks()) === 1);
      const settled = Promise.allSettled(tasks.map((task) => lanes.add(task)));
      await release();
      await before;
      return settled;
    });
    const timesRun = tasks.map((task) => groups.filter((group) => group.includes(task)).length);
    // Without the group that went before.
    return { groupCount: groups.length - 1, timesRun, statuses: results.map(({ status }) => status) };
  }

  it('is split by halves: a task of 64 that fails costs the others six retries at most, and 12 transactions', async () => {
    const operations = Array.from({ length: 64 }, (_, index) => (index === 40 ? unstorable : fund('ann', 1n)));
    const { groupCount, timesRun, statuses } = await runTogether(operations);
    expect(statuses.filter((status) => status === 'rejected')).toEqual(['rejected']);
    const halvings = Math.log2(operations.length);
    expect(Math.max(...timesRun)).toBeLessThanOrEqual(1 + halvings);
    expect(groupCount).toBeLessThanOrEqual(1 + 2 * halvings);
    await expectBooksToBalance(fixture.environment.database);
  });

  it('because PostgreSQL is away is not split: all its tasks fail at once', async () => {
    await holdingBalances(async (release) => {
      const runs: number[] = [];
      const run = (group: readonly Task[]) => {
        runs.push(group.length);
        return fixture.work.run(group);
      };
      const lanes = lanesWith({ work: { ...fixture.work, run } });
      const first = lanes.add(taskOf(fund('cat'))).catch((error: Error) => error);
      await waitFor(async () => (await waitingForLocks()) === 1);
      const settled = Promise.allSettled(Array.from({ length: 8 }, () => lanes.add(taskOf(fund('ann')))));
      const endWaiting = () =>
        fixture.environment.database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`);
      await endWaiting();
      await first;
      await waitFor(async () => runs.length === 2 && (await waitingForLocks()) === 1);
      await endWaiting();
      expect((await settled).filter(({ status }) => status === 'fulfilled')).toEqual([]);
      expect(runs).toEqual([1, 8]);
      await release();
    });
  });
});
