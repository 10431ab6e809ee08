import { expect, it } from '@jest/globals';
import { Rejection } from '#core/rejection.js';
import { expectBooksToBalance } from '#testing/books.js';
import { admin, micros } from '#testing/core/builders.js';
import { countLockWaits, holding } from '#testing/databases.js';
import { acceptanceOf, decisionOf, offerOf, useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { singleTask, type Task } from './task.js';

// What one transaction has read or begun, and another one changes before it ends.

const fixture = useLedgerDatabase();
const run = (...tasks: Task[]) => fixture.work.runWaiting(tasks);
const task = (operation: Parameters<typeof singleTask>[1]): Task => singleTask(1n, operation);

it('a slice that meets a busy user sets its own task aside: later tasks of the group on that wager run', async () => {
  for (let count = 0; count < 3; count += 1) await run(task(offerOf('bob', 'sliced', 1, 3)));
  for (let count = 0; count < 20; count += 1) await run(task(offerOf('ann', 'sliced', 1)));
  const large = { ...acceptanceOf('cat', 'sliced', 30), acceptingAmount: micros(30) };
  const held = 'SELECT 1 FROM balances WHERE account_id = 1 AND user_id = 2 FOR NO KEY UPDATE';
  const bound = 2;
  const results = await holding(fixture.environment.database, held, () => {
    const fund = task({ type: 'fund_user', user: { reference: 'cat' }, amount: micros(1), description: 'x' });
    return fixture.work.run([task(large), task(decisionOf('sliced', bound)), fund]);
  });
  expect(results.map(({ kind }) => kind)).toEqual(['set-aside', expect.stringMatching(/done|set-aside/), 'done']);
  await run(task({ type: 'settle_chunk', wagerId: await wagerOf('sliced'), bound: 500 }));
  await fixture.query('UPDATE outbox SET done_at = now() WHERE done_at IS NULL');
  await expectBooksToBalance(fixture.environment.database);
});

it('an ordinary decision that overtakes a correction leaves the check of the portfolios to the worker', async () => {
  for (let count = 0; count < 4; count += 1) {
    await run(task(offerOf('ann', 'overtaken', 1)), task(acceptanceOf('bob', 'overtaken', 1)));
  }
  await run(task(decisionOf('overtaken')));
  const force = { type: 'force_wager_outcome', wagerReference: 'overtaken', bound: 2, action: admin } as const;
  const checks = async () =>
    Number((await fixture.query(`SELECT count(*)::int AS n FROM outbox WHERE topic = 'check-portfolios'`))[0]?.n);
  const before = await checks();
  await run(task({ ...force, outcome: 'undecided', pendingBefore: 4 }));
  expect(await checks()).toBe(before);
  await run(task({ ...decisionOf('overtaken', 1), pendingBefore: 4 }));
  expect(await checks()).toBe(before + 1);
  await run(task({ type: 'settle_chunk', wagerId: await wagerOf('overtaken'), bound: 50 }));
  expect(await checks()).toBe(before + 1);
  await fixture.query('UPDATE outbox SET done_at = now() WHERE done_at IS NULL');
  await expectBooksToBalance(fixture.environment.database);
});

it('the preference of an account counts as it is when the wait for a lock has ended', async () => {
  const allow = (isAllowed: boolean) =>
    fixture.query(`UPDATE accounts SET preferences = '{"allow_negative_balance": ${isAllowed}}' WHERE id = 1`);
  await allow(true);
  const held = 'SELECT 1 FROM balances WHERE account_id = 1 AND user_id = 3 FOR NO KEY UPDATE';
  const user = { reference: 'cat' };
  const [result] = await holding(fixture.environment.database, held, async (end) => {
    const withdrawal = run(task({ type: 'withdraw', user, amount: micros(5_000), description: 'x' }));
    await waitFor(async () => (await countLockWaits(fixture.environment.database)) === 1);
    await allow(false);
    await end();
    return withdrawal;
  });
  expect(result).toMatchObject({ kind: 'refused', rejection: expect.any(Rejection) });
});

async function wagerOf(reference: string): Promise<bigint> {
  return BigInt(Number((await fixture.query(`SELECT id::int FROM wagers WHERE reference = '${reference}'`))[0]?.id));
}
