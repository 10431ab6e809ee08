import { expect } from '@jest/globals';
import { expectBooksToBalance } from './books.js';
import type { Answer, TestClient } from './client.js';
import type { TestDatabase } from './databases.js';
import type { Clock } from './standstills.js';
import { openTestBusiness, type TestBusiness } from './test-business.js';

// Load for tests that break a part while callers write, and the comparison of what was stored with what was answered.

export interface Offer {
  /** Its place in the list of businesses. */
  readonly account: number;
  /** No other offer has it. */
  readonly amount: number;
  readonly startedAt: number;
  readonly tookMs: number;
  readonly answer: Answer;
}

export interface ContinuousOffers {
  readonly businesses: readonly TestBusiness[];
  readonly offers: readonly Offer[];
  /** The first success of each account among the offers that were sent after a moment. */
  servedSince(since: number): (Offer | undefined)[];
  stop(): Promise<void>;
}

/** Of `ann`: enough for the offers of a fast machine, whose amounts grow one by one. */
const FUNDS = 1_000_000_000;
const OFFERERS = 4;
const UNKNOWN = 'It is not known whether this was done: look before trying again';

export const isUnknown = ({ answer }: Offer): boolean => answer.status === 503 && answer.body.error === UNKNOWN;

/** Two businesses whose user `ann` can pay for all offers; their accounts are of different lanes. */
export async function openOfferingBusinesses(api: TestClient): Promise<TestBusiness[]> {
  const businesses = [await openTestBusiness(api), await openTestBusiness(api)];
  for (const business of businesses) await business.user('ann', FUNDS);
  return businesses;
}

/** Several clients of each account make one offer of its user `ann` after the other until `stop`; amounts begin above `amountsUsed`. */
export function offerContinuously(
  businesses: readonly TestBusiness[],
  { clock, amountsUsed = 0 }: { readonly clock: Clock; readonly amountsUsed?: number },
): ContinuousOffers {
  const offers: Offer[] = [];
  let isOver = false;
  let amount = amountsUsed;
  const offerOn = async (business: TestBusiness, account: number) => {
    while (!isOver) {
      amount += 1;
      const own = amount;
      const startedAt = clock.now();
      const answer = await business.make('ann', own);
      offers.push({ account, amount: own, startedAt, tookMs: clock.now() - startedAt, answer });
    }
  };
  const running = Promise.all(
    businesses.flatMap((business, account) => Array.from({ length: OFFERERS }, () => offerOn(business, account))),
  );
  return {
    businesses,
    offers,
    servedSince: (since) =>
      businesses.map((_business, account) =>
        offers.find((offer) => offer.account === account && offer.startedAt > since && offer.answer.status === 201),
      ),
    async stop() {
      isOver = true;
      await running;
    },
  };
}

/** Every acknowledged offer is there once; of the others, only those of which the answer says that it is not known. */
export async function expectNothingLostOrDoubled(
  database: Pick<TestDatabase, 'url' | 'query'>,
  { businesses, offers }: Pick<ContinuousOffers, 'businesses' | 'offers'>,
): Promise<void> {
  for (const [
    account,
    {
      account: { id },
    },
  ] of businesses.entries()) {
    const own = offers.filter((offer) => offer.account === account);
    const rows = await database.query(
      'SELECT (requesting_amount / 1000000)::int AS amount FROM bets WHERE account_id = $1 ORDER BY 1',
      [id],
    );
    const stored = rows.map((row) => Number(row.amount));
    expect(new Set(stored).size).toBe(stored.length);
    const amountsOf = (some: readonly Offer[]) => new Set(some.map((offer) => offer.amount));
    const acknowledged = amountsOf(own.filter(({ answer }) => answer.status === 201));
    const unknown = amountsOf(own.filter(isUnknown));
    const there = new Set(stored);
    expect([...acknowledged].filter((each) => !there.has(each))).toEqual([]);
    expect(stored.filter((each) => !acknowledged.has(each) && !unknown.has(each))).toEqual([]);
  }
  await expectBooksToBalance(database);
}
