import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let admin: Admin;
let stranger: LoggedIn;
let business: TestBusiness;

const STRANGER = 2;

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
  stranger = await registerAndLogIn(api.client);
  business = await openTestBusiness(api.client);
  await Promise.all(['ann', 'bob'].map((name) => business.user(name)));
});

describe('one wager', () => {
  const settlement = async () => ok(await business.client.get('/wagers/match'), 200).data.settlement;

  it('tells how far its bets are', async () => {
    const first = await business.match('ann', 'bob', 10);
    await business.match('ann', 'bob', 10);
    ok(await business.make('ann', 10));
    const { data, message } = ok(await business.client.get('/wagers/match'), 200);
    expect(message).toEqual(expect.any(String));
    expect(data).toEqual({
      id: expect.any(Number),
      reference: 'match',
      outcome: 'undecided',
      account_id: expect.any(Number),
      settling_since: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      settlement: { bets: 2, settled: 0, remaining: 0, state: 'undecided' },
    });
    ok(await business.override(first, 'win'), 200);
    expect(await settlement()).toEqual({ bets: 2, settled: 1, remaining: 0, state: 'undecided' });
    ok(await business.decide('loss'));
    expect(await settlement()).toEqual({ bets: 2, settled: 2, remaining: 0, state: 'settled' });
    ok(await admin.client.post(`/admin/bets/${first}/set-inactive`), 200);
    expect(await settlement()).toEqual({ bets: 2, settled: 1, remaining: 0, state: 'settled' });
    await expectBooksToBalance(api.database);
  });

  it('is read with its book, both of one moment', async () => {
    const other = await openTestBusiness(api.client);
    await Promise.all(['ann', 'bob'].map((name) => other.user(name)));
    await other.match('ann', 'bob', 10);
    const readWith = async (query: string) => ok(await other.client.get(`/wagers/match${query}`), 200).data;
    const matchAndRead = async () => {
      await other.match('ann', 'bob', 1);
      const { settlement, book } = await readWith('?depth=3');
      expect(settlement.bets).toBe(book.matched_bets);
    };
    await Promise.all(Array.from({ length: 20 }, matchAndRead));
    const book = ok(await other.client.get('/wagers/match/book?depth=3'), 200);
    expect((await readWith('?depth=3')).book).toEqual({ ...book, as_of: expect.any(String) });
    expect(await readWith('')).not.toHaveProperty('book');
  });

  it('of another account is read by admins only', async () => {
    const { account_id, id } = ok(await business.client.get('/wagers/match'), 200).data;
    const unknown = { status: 404, error: 'Wager not found' };
    for (const [client, query] of [
      [stranger.client, ''],
      [stranger.client, `?account_id=${account_id}`],
      [business.client, '?account_id=999999'],
      [admin.client, ''],
      [admin.client, '?account_id=999999'],
      [admin.client, `?account_id=${STRANGER}`],
    ] as const) {
      const answer = await client.get(`/wagers/match${query}`);
      expect([query, answer.status, answer.body]).toEqual([query, 404, unknown]);
    }
    expect((await business.client.get(`/wagers/match?account_id=${account_id}`)).body.data.id).toBe(id);
    expect((await admin.client.get(`/wagers/match?account_id=${account_id}`)).body.data.id).toBe(id);
    expect((await admin.client.get('/wagers/match?account_id=x')).body.message).toEqual([
      'account_id must be an integer number',
    ]);
  });

  it('is found by any reference that a wager may have', async () => {
    const reference = 'Süd/Nord 3:2 ?&#%25 é';
    ok(await business.make('ann', 1, 2, { wager_reference: reference }));
    const path = `/wagers/${encodeURIComponent(reference)}`;
    expect(ok(await business.client.get(path), 200).data.reference).toBe(reference);
    expect((await business.client.get('/wagers/a%2Cb')).body.message).toEqual(['reference must not contain a comma']);
  });
});
