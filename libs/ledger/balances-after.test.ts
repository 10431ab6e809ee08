import { expect, it } from '@jest/globals';
import type { Operation } from '#core/operation.js';
import { expectBooksToBalance } from '#testing/books.js';
import { acceptanceOf, decisionOf, fundOf, offerOf, useLedgerDatabase } from '#testing/ledger-fixture.js';
import { singleTask } from './task.js';

const fixture = useLedgerDatabase();

it('of one group chain by id: settled bets, reversals, fundings and withdrawals of several accounts', async () => {
  const task = (operation: Operation, accountId = 1n) => singleTask(accountId, operation);
  for (const wager of ['one', 'two']) {
    const offers = Array.from({ length: 20 }, () => offerOf('ann', wager, 2, 1.5));
    await fixture.work.run(offers.map((operation) => task(operation)));
    await fixture.work.run([task(acceptanceOf('bob', wager, 40))]);
  }
  const [first] = await fixture.query('SELECT min(id) AS id FROM bets');
  const betId = BigInt(String(first?.id));
  const withdrawal = (reference: string): Operation => ({ ...fundOf(reference, 2), type: 'withdraw' });
  const results = await fixture.work.run([
    task(fundOf('ann', 7)),
    task({ ...decisionOf('one'), pendingBefore: 20 }),
    task(withdrawal('ann')),
    task({ type: 'override_bet_outcome', betId, overrideOutcome: 'loss' }),
    task(fundOf('dan', 1), 2n),
    task(fundOf('bob', 3)),
    task({ ...decisionOf('two'), pendingBefore: 20 }),
    task(withdrawal('bob')),
    task(fundOf('ann', 1)),
  ]);
  expect(results.map(({ kind }) => kind)).toEqual(results.map(() => 'done'));
  const breaks = await fixture.query(`
    SELECT id FROM (
      SELECT id, balance_after, sum(CASE transaction_type WHEN 'credit' THEN amount ELSE -amount END)
               OVER (PARTITION BY account_id, user_id ORDER BY id) AS running, created_at,
             lag(created_at) OVER (PARTITION BY account_id, user_id ORDER BY id) AS before
        FROM transactions) chained
     WHERE balance_after <> running OR created_at < before`);
  expect(breaks).toEqual([]);
  await expectBooksToBalance(fixture.environment.database);
});
