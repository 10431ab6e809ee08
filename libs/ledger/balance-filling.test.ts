import { expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { acceptanceOf, decisionOf, fundOf, offerOf, useLedgerDatabase } from '#testing/ledger-fixture.js';
import { emptyBalances } from '#testing/unfilled-balances.js';
import { createBalanceFilling } from './balance-filling.js';
import { singleTask } from './task.js';

const fixture = useLedgerDatabase();
const run = (operation: Parameters<typeof singleTask>[1], accountId = 1n) =>
  fixture.work.run([singleTask(accountId, operation)]);
const balances = () => fixture.query('SELECT id, balance_after FROM transactions ORDER BY id');

it('fills old transactions user by user in steps, while others are written, and ends', async () => {
  for (let count = 0; count < 4; count += 1) {
    await run(fundOf('ann', 3));
    await run(fundOf('dan', 5), 2n);
    await run(offerOf('ann', `w${count}`, 2, 1.5));
    await run(acceptanceOf('bob', `w${count}`, 2));
    await run(decisionOf(`w${count}`));
  }
  const before = await balances();
  await emptyBalances(fixture.environment.database);
  const interrupted = createBalanceFilling(fixture.database, 3);
  expect(await interrupted.isNeeded()).toBe(true);
  expect([await interrupted.fillNext(), await interrupted.fillNext()]).toEqual([3, 3]);
  await run(fundOf('ann', 1));
  await run(fundOf('cat', 1));
  const filling = createBalanceFilling(fixture.database, 3);
  let filled = 6;
  for (let count: number | undefined = 0; count !== undefined; count = await filling.fillNext()) {
    expect(count).toBeLessThanOrEqual(3);
    filled += count;
  }
  expect(filled).toBe(before.length);
  expect((await balances()).slice(0, before.length)).toEqual(before);
  expect([await filling.isNeeded(), await interrupted.isNeeded()]).toEqual([false, false]);
  await expectBooksToBalance(fixture.environment.database);
});
