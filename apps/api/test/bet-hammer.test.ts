import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import type { Answer } from '#testing/client.js';
import { acceptance, offer, ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';

// Many callers at once, through two API processes that share nothing but the database.

const api = withTestApi({ processes: 2 });
let businesses: TestBusiness[];

const USERS = ['ann', 'bob', 'cat', 'dan', 'eve'] as const;
const WAGERS = ['one', 'two', 'three'] as const;
const CALLERS = 24;
const CALLS_EACH = 80;

beforeAll(async () => {
  businesses = await Promise.all(api.clients.map((client) => openTestBusiness(client)));
  await Promise.all(businesses.flatMap((business) => USERS.map((name) => business.user(name, 300))));
});

function randomCall({ below, pick }: SeededRandom): { path: string; body: object } {
  const name = pick(USERS);
  const wager = { wager_reference: pick(WAGERS) };
  const amount = 1 + below(40) / 4;
  const make = offer(name, amount, 1 + below(300) / 100, wager);
  const accept = acceptance(name, amount, { ...wager, maximum_odds: 1 + below(5) });
  const cancel = {
    requesting_user_reference: name,
    wager_references: [wager.wager_reference],
    ...(below(2) === 0 ? { cancel_all: true } : { cancel_amount: amount }),
  };
  const money = { user_reference: name, amount };
  const operations = [
    { operation_type: 'cancel_bet_offer', operation_id: 'a', data: cancel },
    { operation_type: 'make_bet_offer', operation_id: 'b', data: make },
    { operation_type: 'accept_bet_offer', operation_id: 'c', data: accept },
  ];
  return pick([
    { path: '/bets/make-offer', body: make },
    { path: '/bets/make-offer', body: make },
    { path: '/bets/accept-offer', body: accept },
    { path: '/bets/accept-offer', body: accept },
    { path: '/bets/cancel-offer', body: cancel },
    { path: '/bets/batch', body: { operations: operations.slice(below(2)) } },
    { path: '/transactions/fund-user', body: money },
    { path: '/transactions/withdraw', body: money },
  ]);
}

describe('under random load', () => {
  it('answers every call with a yes or a clear no, and the books balance', async () => {
    const statuses = new Map<number, number>();
    const caller = async (seed: number) => {
      // A failure can be repeated by its seed.
      const random = createSeededRandom(seed);
      for (let call = 0; call < CALLS_EACH; call += 1) {
        const { path, body } = randomCall(random);
        const business = businesses[random.below(2)];
        const through = api.clients[random.below(2)];
        const answer: Answer | undefined = await through?.as({ token: business?.account.token ?? '' }).post(path, body);
        const status = answer?.status ?? 0;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(index + 1)));
    expect([...statuses.keys()].sort()).toEqual([201, 400]);
    expect(statuses.get(201)).toBeGreaterThan(CALLERS * 5);
    await expectBooksToBalance(api.database);
  });

  it('lets two processes create the same wager at the same moment', async () => {
    const [business] = businesses;
    for (let round = 0; round < 5; round += 1) {
      const wager = { wager_reference: `race-${round}` };
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          api.clients[index % 2]
            ?.as({ token: business?.account.token ?? '' })
            .post('/bets/make-offer', offer(USERS[index % 5] ?? '', 0.01, 1.1, wager)),
        ),
      );
      const wagerIds = answers.map((answer) => ok(answer as Answer).data.wager_id);
      expect(new Set(wagerIds).size).toBe(1);
    }
    await expectBooksToBalance(api.database);
  });
});
