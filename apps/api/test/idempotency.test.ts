import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import type { Answer, TestClient } from '#testing/client.js';
import { offer, ok, openTestBusiness, registerAdmin } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ processes: 2 });
const business = withFreshBusiness(api);
let annId: number;

beforeEach(async () => {
  annId = await business.user('ann', 100);
  await business.user('bob', 100);
});

const through = (index: number) => (api.clients[index] as TestClient).as({ token: business.account.token });
const keyed = (key: string, client = business.client) => client.with({ 'Idempotency-Key': key });
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');
const rowsOf = async (table: string, condition = 'TRUE') => {
  const [row] = await api.database.query(
    `SELECT count(*)::int AS rows FROM ${table} WHERE account_id = (SELECT id FROM accounts WHERE email = $1) AND ${condition}`,
    [business.account.email],
  );
  return row?.rows;
};

describe('an Idempotency-Key', () => {
  it('gives the first answer again, and does nothing again', async () => {
    const fund = { user_id: annId, amount: 5 };
    const first = await keyed('k1').post('/transactions/fund-user', fund);
    const second = await keyed('k1').post('/transactions/fund-user', fund);
    const elsewhere = await keyed('k1', through(1)).post('/transactions/fund-user', fund);
    expect([first.status, replayed(first)]).toEqual([201, null]);
    for (const again of [second, elsewhere]) {
      expect([again.status, replayed(again), again.body]).toEqual([201, 'true', first.body]);
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    }
    expect((await business.moneyOf('ann')).balance).toBe(105);
    await expectBooksToBalance(api.database);
  });

  it('stores a refusal as well, even when the request would succeed by now', async () => {
    const refused = await keyed('broke').post('/bets/make-offer', offer('ann', 150));
    expect(refused.status).toBe(400);
    ok(await business.client.post('/transactions/fund-user', { user_id: annId, amount: 1000 }));
    const again = await keyed('broke').post('/bets/make-offer', offer('ann', 150));
    expect([again.status, again.body, replayed(again)]).toEqual([400, refused.body, 'true']);
    expect((await keyed('rich').post('/bets/make-offer', offer('ann', 150))).status).toBe(201);
  });

  it('knows a body by what it means', async () => {
    const { wager_reference, ...rest } = offer('ann', 10);
    const first = ok(await keyed('meaning').post('/bets/make-offer', { wager_reference, ...rest }));
    for (const same of [
      { ...rest, wager_reference },
      { meta: null, wager_reference, allowed_acceptor_ids: null, ...rest },
    ]) {
      const again = await keyed('meaning').post('/bets/make-offer', same);
      expect([again.status, replayed(again), again.body]).toEqual([201, 'true', first]);
    }
    const other = await keyed('meaning').post('/bets/make-offer', { wager_reference, ...rest, meta: {} });
    expect(other.status).toBe(422);
    expect(await rowsOf('bets')).toBe(1);
  });

  it('takes null for a value where a field is changed', async () => {
    const change = (body: object) => keyed('change').patch(`/account/user/${annId}`, body);
    ok(await change({ name: 'Ann', preferences: null }), 200);
    expect((await change({ name: 'Ann' })).status).toBe(422);
    expect(replayed(await change({ preferences: null, name: 'Ann' }))).toBe('true');
  });

  it('knows a body that an earlier release stored', async () => {
    const body = offer('ann', 10, 2, { meta: null });
    const first = ok(await keyed('former').post('/bets/make-offer', body));
    const hash = createHash('sha256')
      .update(`POST /bets/make-offer ${JSON.stringify(body)}`)
      .digest('base64');
    const [stored] = await api.database.query(
      `UPDATE stored_answers SET request_hash = $1 WHERE key = 'former' RETURNING request_hash`,
      [hash],
    );
    expect(stored?.request_hash).toBe(hash);
    expect(ok(await keyed('former').post('/bets/make-offer', body))).toEqual(first);
    expect((await keyed('former').post('/bets/make-offer', offer('ann', 10))).status).toBe(422);
  });

  it('is refused with another body or route, and that refusal is not stored', async () => {
    ok(await keyed('k2').post('/bets/make-offer', offer('ann', 10)));
    const others = [
      await keyed('k2').post('/bets/make-offer', offer('ann', 11)),
      await keyed('k2').post('/bets/accept-offer', offer('ann', 10)),
      await keyed('k2').post('/transactions/fund-user', { user_id: annId, amount: 10 }),
    ];
    expect(others.map(({ status }) => status)).toEqual([422, 400, 422]);
    expect(others[0]?.body).toEqual({ status: 422, error: 'This Idempotency-Key was used with another request' });
    expect((await keyed('k2').post('/bets/make-offer', offer('ann', 10))).status).toBe(201);
    expect(await rowsOf('bets')).toBe(1);
  });

  it('belongs to an account', async () => {
    const other = await openTestBusiness(api.client);
    await other.user('ann', 100);
    const body = offer('ann', 10);
    ok(await keyed('shared').post('/bets/make-offer', body));
    const answer = await keyed('shared', other.client).post('/bets/make-offer', body);
    expect([answer.status, replayed(answer)]).toEqual([201, null]);
  });

  it.each(['', 'a'.repeat(256), 'tab\tinside', 'é'])('must be printable and short: %j', async (key) => {
    const answer = await keyed(key).post('/bets/make-offer', offer('ann', 10));
    expect([answer.status, answer.body.message]).toEqual([
      400,
      ['Idempotency-Key must be 1 to 255 printable characters'],
    ]);
    expect(await rowsOf('bets')).toBe(0);
  });

  it('makes one of a hundred requests at once, through two processes', async () => {
    const body = offer('ann', 1);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => keyed('storm', through(index % 2)).post('/bets/make-offer', body)),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true);
    const done = answers.filter(({ status }) => status === 201);
    expect(new Set(done.map((answer) => answer.body.data.bet_id)).size).toBe(1);
    expect(done.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    for (const waiting of answers.filter(({ status }) => status === 409)) {
      expect(waiting.headers.get('retry-after')).toBe('1');
      expect(waiting.body.error).toBe('The first request with this Idempotency-Key is still running');
    }
    expect(await rowsOf('bets')).toBe(1);
    expect((await business.moneyOf('ann')).exposure).toBe(1);
    await expectBooksToBalance(api.database);
  });

  it('settles races between processes in the database', async () => {
    for (let round = 0; round < 10; round += 1) {
      const fund = { user_id: annId, amount: 1 };
      const answers = await Promise.all(
        [0, 1].map((index) => keyed(`race ${round}`, through(index)).post('/transactions/fund-user', fund)),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[0]?.body).toEqual(answers[1]?.body);
    }
    expect((await business.moneyOf('ann')).balance).toBe(110);
  });

  it('is not refused because of its own twin in another process', async () => {
    for (let round = 0; round < 15; round += 1) {
      const user = { name: 'Cat', reference: `cat ${round}` };
      const answers = await Promise.all(
        [0, 1].map((index) => keyed(`twin ${round}`, through(index)).post('/account/user', user)),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[0]?.body).toEqual(answers[1]?.body);
    }
  });

  it('works for a batch, a decision and a cancel like for everything', async () => {
    const calls = [
      ['/bets/make-offer', offer('ann', 10)],
      [
        '/bets/accept-offer',
        { wager_reference: 'match', maximum_odds: 3, accepting_amount: 4, accepting_user_reference: 'bob' },
      ],
      ['/bets/cancel-offer', { requesting_user_reference: 'ann', wager_references: ['match'], cancel_amount: 2 }],
      ['/bets/batch', { operations: [{ operation_type: 'make_bet_offer', operation_id: 'a', data: offer('bob', 3) }] }],
      ['/bets/update-wager-outcome', { reference: 'match', outcome: 'win' }],
      ['/transactions/withdraw', { user_id: annId, amount: 7 }],
      ['/account/user', { name: 'Cat' }],
    ] as const;
    for (const [path, body] of calls) {
      const key = randomUUID();
      const first = await keyed(key).post(path, body);
      const again = await keyed(key).post(path, body);
      expect([path, first.status, replayed(first)]).toEqual([path, 201, null]);
      expect([path, again.status, replayed(again), again.body]).toEqual([path, 201, 'true', first.body]);
    }
    expect(await rowsOf('users')).toBe(3);
    expect((await business.moneyOf('ann')).balance).toBe(97);
    await expectBooksToBalance(api.database);
  });

  it('works for changes of users and accounts, and for corrections of other accounts', async () => {
    const changed = await keyed('patch').patch('/account/user/ann/reference', { name: 'Anna' });
    await business.client.patch('/account/user/ann/reference', { name: 'Annabel' });
    const again = await keyed('patch').patch('/account/user/ann/reference', { name: 'Anna' });
    expect([again.body, replayed(again)]).toEqual([changed.body, 'true']);
    expect(ok(await business.client.get(`/account/user/${annId}`), 200).data.name).toBe('Annabel');

    const admin = await registerAdmin(api.client, api.database);
    const betId = await business.match('ann', 'bob', 10);
    const off = await keyed('off', admin.client).post(`/admin/bets/${betId}/set-inactive`, {});
    const offAgain = await keyed('off', admin.client).post(`/admin/bets/${betId}/set-inactive`, {});
    expect([off.status, offAgain.status, replayed(offAgain)]).toEqual([200, 200, 'true']);
    const { id } = business.account;
    const named = await keyed('name', admin.client).patch(`/admin/accounts/${id}`, { name: 'Better Bets' });
    const namedAgain = await keyed('name', admin.client).patch(`/admin/accounts/${id}`, { name: 'Better Bets' });
    expect([namedAgain.body, replayed(namedAgain)]).toEqual([named.body, 'true']);
    const missing = (index: number) => [
      keyed(`no account ${index}`, admin.client).patch('/admin/accounts/999999', { name: 'x' }),
      keyed(`no bet ${index}`, admin.client).post('/admin/bets/999999/set-active', {}),
    ];
    const firsts = await Promise.all(missing(1));
    const agains = await Promise.all(missing(1));
    expect(firsts.map((answer) => [answer.status, replayed(answer)])).toEqual([
      [404, null],
      [404, null],
    ]);
    expect(agains.map((answer) => [answer.body, replayed(answer)])).toEqual(
      firsts.map(({ body: said }) => [said, 'true']),
    );
  });

  it('stores no secret and no hash of one', async () => {
    const keys = await keyed('secret').post('/auth/account/generate-keys');
    const others = await keyed('secret').post('/auth/account/generate-keys');
    expect([keys.status, others.status, replayed(others)]).toEqual([201, 201, null]);
    expect(others.body.data.api_key).not.toBe(keys.body.data.api_key);
    const passwords = {
      password: business.account.password,
      new_password: 'another one',
      password_confirmation: 'another one',
    };
    expect((await keyed('secret').post('/auth/account/reset-password', passwords)).status).toBe(200);
    expect(await rowsOf('stored_answers', "key = 'secret'")).toBe(0);
  });

  it('is not used up by what was never tried', async () => {
    expect((await keyed('early').post('/bets/make-offer', offer('ann', -1))).status).toBe(400);
    expect((await keyed('early').post('/bets/make-offer', offer('ann', 1))).status).toBe(201);
  });
});
