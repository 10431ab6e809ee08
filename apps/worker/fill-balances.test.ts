import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { fillLedger, openAccount, openLedger } from '#testing/full-ledger.js';
import { startTestWorker } from '#testing/parts.js';
import { emptyBalances } from '#testing/unfilled-balances.js';
import { waitFor } from '#testing/wait-for.js';
import { createFillBalances } from './fill-balances.js';

let environment: TestEnvironment;

beforeAll(async () => {
  environment = await createTestEnvironment();
  const driver = await openLedger(environment.database, environment.logger);
  await openAccount(environment.database, driver);
  await fillLedger(driver);
  await driver.close();
});

afterAll(() => environment?.close());

it('is a job of the worker while transactions are unfilled', async () => {
  const { database } = environment;
  const balances = () => database.query('SELECT id, balance_after FROM transactions ORDER BY id');
  const before = await balances();
  await emptyBalances(database);
  const worker = await startTestWorker(environment);
  try {
    await waitFor(
      async () => (await database.query('SELECT FROM transactions WHERE balance_after IS NULL')).length === 0,
    );
  } finally {
    await worker.close();
  }
  // The worker settles what was left, too.
  expect((await balances()).slice(0, before.length)).toEqual(before);
  await expectBooksToBalance(database);
});

it('ends after the step in hand when the worker stops or its time is up', async () => {
  const filling = { isNeeded: async () => true, fillNext: async () => 5 };
  expect(await createFillBalances(filling, AbortSignal.abort())()).toEqual({ filled: 0, end: 'behind' });
  const { filled, end } = await createFillBalances(filling, new AbortController().signal, 20)();
  expect([filled > 0, end]).toEqual([true, 'behind']);
});
