import { expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { offer, ok, openTestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

// One tenant floods a process with batches. The test counts answers, not milliseconds: without turns an offer of another
// tenant waits for the batches of all connections.

const CONNECTIONS = 128;
const OFFERS_IN_A_BATCH = 20;
const OFFERS = 10;

const api = withTestApi();

it('an offer overtakes the batches that another tenant has waiting on 128 connections', async () => {
  const [flooding, ...others] = await Promise.all(['a', 'b', 'c', 'd'].map(() => openTestBusiness(api.client)));
  if (flooding === undefined) throw new Error('there are four businesses');
  await flooding.user('ann', 1_000_000);
  for (const other of others) await other.user('eve');
  const operations = Array.from({ length: OFFERS_IN_A_BATCH }, (_, index) => ({
    operation_type: 'make_bet_offer',
    operation_id: `x${index}`,
    data: offer('ann', 0.01),
  }));
  let answered = 0;
  let isOver = false;
  const flood = Array.from({ length: CONNECTIONS }, async () => {
    while (!isOver) {
      ok(await flooding.client.post('/bets/batch', { operations }));
      answered += 1;
    }
  });
  // Until then connections are opened.
  await waitFor(() => answered > 2 * CONNECTIONS);
  // Two lanes serve all accounts, so at least one of the others is in the lane of the flood.
  const overtaken = others.map(async (other) => {
    ok(await other.make('eve', 1));
    const counts: number[] = [];
    while (counts.length < OFFERS) {
      const before = answered;
      ok(await other.make('eve', 1));
      counts.push(answered - before);
    }
    return Math.max(...counts);
  });
  const most = await Promise.all(overtaken).finally(() => {
    isOver = true;
  });
  await Promise.all(flood);
  expect(Math.max(...most)).toBeLessThan(CONNECTIONS / 2);
  await expectBooksToBalance(api.database);
});
