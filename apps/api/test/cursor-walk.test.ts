import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import type { TestClient } from '#testing/client.js';
import { chooser } from '#testing/list-rows.js';
import { acceptance, offer, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let business: TestBusiness;

const WRITERS = 8;
/** Bounds how far a walk has to follow rows that are still being written. */
const ROUNDS = 25;
const USERS = ['ann', 'bob', 'cat', 'dan'] as const;
const WAGERS = ['first', 'second'] as const;

beforeAll(async () => {
  business = await openTestBusiness(api.client);
  for (const user of USERS) await business.user(user, 1_000_000);
  for (let round = 0; round < 60; round += 1) {
    const wager_reference = WAGERS[round % 2];
    const user = USERS[round % 4] as string;
    await business.make(user, 2 + (round % 5), 1.5 + (round % 3), { wager_reference });
    if (round % 4 === 3) await business.accept('ann', 3, { wager_reference, maximum_odds: 9 });
  }
});

/** Makes, accepts and cancels offers, and moves money. */
async function write(client: TestClient, writer: number): Promise<void> {
  const choose = chooser(writer + 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const [me, other] = [choose(USERS), choose(USERS)];
    const wager_reference = choose(WAGERS);
    const [path, body] = choose<[string, object]>([
      ['/bets/make-offer', offer(me, choose([1, 2.5]), choose([1.5, 2, 3]), { wager_reference })],
      ['/bets/make-offer', offer(me, choose([4, 5.25]), 2, { wager_reference })],
      ['/bets/accept-offer', acceptance(other, choose([1, 3]), { wager_reference })],
      [
        '/bets/cancel-offer',
        { requesting_user_reference: me, wager_references: [wager_reference], cancel_amount: choose([1, 4]) },
      ],
      ['/transactions/fund-user', { user_reference: me, amount: 1 }],
    ]);
    const { status } = await client.post(path, body);
    expect([201, 400]).toContain(status);
  }
}

const idsWhere = async (table: string) =>
  (await api.database.query(`SELECT id::float8 FROM ${table} ORDER BY id`)).map(({ id }) => Number(id));

/** All ids that a walk in small pages sees, in its order. */
async function walked(path: string): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await business.client.get(`${path}&per_page=10&cursor=${cursor}`);
    expect(status).toBe(200);
    ids.push(...body.data.map(({ id }: { id: number }) => id));
    cursor = body.next;
  }
  return ids;
}

describe('a walk while eight writers write', () => {
  it.each([
    ['bets', '/bets/history?sort_direction=asc'],
    ['bets', '/bets/history?wager_references=first,second'],
    ['transactions', '/transactions?'],
  ])('sees each row of %s that was there at its start exactly once: %s', async (table, path) => {
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(business.client, writer));
    try {
      const before = await idsWhere(table);
      const seen = await walked(path);
      expect(new Set(seen).size).toBe(seen.length);
      const known = new Set(before);
      expect(seen.filter((id) => known.has(id)).sort((a, b) => a - b)).toEqual(before);
      expect((await idsWhere(table)).length).toBeGreaterThan(before.length);
    } finally {
      await Promise.all(writers);
    }
    await expectBooksToBalance(api.database);
  });
});
