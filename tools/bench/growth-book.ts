import { type Bench, runLoad } from './bench.js';
import type { FixedRequest, LoadAccount } from './load/plan.js';
import { recordLatencies } from './record-figures.js';

/** Each size gets only a share of the time, so the time is longer. */
const LONGER = 2;
/** Acceptors are users who make no offers there. */
const ACCEPTOR = 600;

/**
 * Measures accept-offer against books of several lengths, then reading them. Each acceptance follows an offer, so the
 * lengths stay.
 */
export async function measureBook(
  bench: Bench,
  port: number,
  account: LoadAccount,
  sizes: readonly number[],
): Promise<void> {
  const requests = sizes.flatMap((size, index) => refillAndTake(account, `w${index + 1}`, size));
  const seconds = bench.options.seconds * LONGER;
  const result = await runLoad(bench, { port, connections: 1, seconds, workload: { kind: 'cycle', requests } });
  const common = { scenario: 'growth-book', sizeOf: 'open offers in the book', sizes, result };
  recordLatencies(bench, {
    ...common,
    subject: 'accept-offer',
    labelOf: (size) => `accept ${size}`,
    goal: 'growthBook',
  });
  recordLatencies(bench, { ...common, subject: 'make-offer', labelOf: (size) => `make ${size}` });
  const books = sizes.map((size, index) => readBook(account, `w${index + 1}`, size));
  const read = await runLoad(bench, { port, connections: 1, seconds, workload: { kind: 'cycle', requests: books } });
  recordLatencies(bench, {
    ...{ scenario: 'growth-book', sizeOf: 'open offers in the book', sizes, result: read },
    subject: 'order book of 10 levels',
    labelOf: (size) => `book ${size}`,
    largestGoal: 'bookOfManyOffers',
  });
}

const readBook = ({ authorization }: LoadAccount, wager: string, size: number): FixedRequest => ({
  ...{ label: `book ${size}`, authorization, method: 'GET', path: `/wagers/${wager}/book?depth=10` },
});

function refillAndTake(
  { authorization, firstUserId }: LoadAccount,
  wager: string,
  size: number,
): readonly FixedRequest[] {
  const offer = {
    wager_reference: wager,
    requesting_odds: 1.5,
    requesting_amount: 10,
    requesting_user_id: firstUserId,
  };
  const take = {
    wager_reference: wager,
    maximum_odds: 1_000,
    accepting_amount: 10,
    accepting_user_id: firstUserId + ACCEPTOR,
  };
  const common = { method: 'POST', authorization } as const;
  return [
    { ...common, label: `make ${size}`, path: '/bets/make-offer', body: offer },
    { ...common, label: `accept ${size}`, path: '/bets/accept-offer', body: take },
  ];
}
