import { describe, expect, it } from '@jest/globals';
import type { Answer, TestClient } from '#testing/client.js';
import { ok, openTestBusiness } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true, processes: 2 });
const business = withFreshBusiness(api, { ann: 100 });

const TAKEN = { status: 409, error: 'A transaction with this reference already exists' };

const through = (index: number) => (api.clients[index % 2] as TestClient).as({ token: business.account.token });
const fund = (reference: string, more: object = {}, client = business.client) =>
  client.post('/transactions/fund-user', { user_reference: 'ann', amount: 1, reference, ...more });
const withdraw = (reference: string, more: object = {}) =>
  business.client.post('/transactions/withdraw', { user_reference: 'ann', amount: 1, reference, ...more });
const get = async (path: string) => ok(await business.client.get(path), 200);
const idsOf = async (query: string): Promise<number[]> =>
  (await get(`/transactions?${query}`)).data.map(({ id }: { id: number }) => id);

describe('an own reference', () => {
  it('comes back with its meta wherever the transaction is shown', async () => {
    const label = { own_reference: 'payment #4711/é', meta: { method: 'card' } };
    const { data: funded } = ok(await fund(label.own_reference, { meta: label.meta }));
    expect(funded).toMatchObject({ ...label, reference: expect.stringMatching(/^TX_/) });
    const shown = { id: funded.id, reference: funded.reference, ...label };
    const named = [funded.reference, label.own_reference].map(encodeURIComponent);
    for (const path of [funded.id, ...named.map((name) => `${name}/reference`)]) {
      expect((await get(`/transactions/${path}`)).data).toMatchObject(shown);
    }
    expect((await get('/transactions')).data[1]).toMatchObject(shown);
    expect((await get('/events?types=transaction.created')).data[1].transactions).toEqual([
      expect.objectContaining(shown),
    ]);
    expect((await get('/account/user/ann/statement')).lines[1]).toMatchObject(shown);
    const csv = (await business.client.get('/account/user/ann/statement?format=csv')).body;
    expect(csv.split('\r\n')[3]).toMatch(/,payment #4711\/é$/);
  });

  it('is absent from a transaction that was given none', async () => {
    const [before] = (await get('/transactions')).data;
    const [event] = (await get('/events?types=transaction.created')).data;
    const { lines } = await get('/account/user/ann/statement');
    for (const shown of [before, ...event.transactions, ...lines]) {
      expect(Object.keys(shown)).not.toEqual(expect.arrayContaining(['own_reference']));
      expect(shown).not.toHaveProperty('meta');
    }
  });

  it('is taken by exactly one of twenty at once, through two processes', async () => {
    const answers: Answer[] = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const path = index % 3 === 0 ? '/transactions/withdraw' : '/transactions/fund-user';
        return through(index).post(path, { user_reference: 'ann', amount: 1, reference: 'once' });
      }),
    );
    const won = answers.filter(({ status }) => status === 201).map(({ body }) => body.data);
    expect([won.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 19]);
    for (const { status, body } of answers) if (status !== 201) expect(body).toEqual(TAKEN);
    const { id, transaction_type, balance_after } = won[0];
    expect(balance_after).toBe(transaction_type === 'credit' ? 101 : 99);
    expect((await business.moneyOf('ann')).balance).toBe(balance_after);
    expect(await idsOf('own_reference=once')).toEqual([id]);
  });

  it('stays free when the call is refused', async () => {
    expect((await withdraw('free', { amount: 1_000 })).status).toBe(400);
    expect((await fund('free', { user_reference: 'nobody' })).status).toBe(404);
    ok(await fund('free'));
    expect((await fund('free', { user_reference: 'nobody' })).status).toBe(404);
    expect((await withdraw('free')).body).toEqual(TAKEN);
    expect(await business.moneyOf('ann')).toEqual({ balance: 101, exposure: 0 });
  });

  it('belongs to an account', async () => {
    ok(await fund('mine'));
    const other = await openTestBusiness(api.client);
    await other.user('ann', 0);
    const { data } = ok(await fund('mine', {}, other.client));
    expect((await get('/transactions/mine/reference')).data.id).not.toBe(data.id);
    expect((await other.client.get('/transactions/mine/reference')).body.data.id).toBe(data.id);
  });

  it('is taken by a request that is repeated with its key only once', async () => {
    const keyed = business.client.with({ 'Idempotency-Key': 'again' });
    const first = ok(await fund('keyed', {}, keyed));
    expect(ok(await fund('keyed', {}, keyed))).toEqual(first);
    expect((await fund('keyed')).body).toEqual(TAKEN);
  });

  it.each([
    [{ reference: '' }, 'reference should not be empty'],
    [{ reference: 'x'.repeat(101) }, 'reference must be shorter than or equal to 100 characters'],
    [{ reference: 'a,b' }, 'reference must not contain a comma'],
    [{ reference: 'a\nb' }, 'reference must not contain control characters'],
    [{ reference: 'TX_019bc2f0a3801f' }, 'reference must not have the form of a reference of the ledger'],
    [{ reference: 4711 }, 'reference must be a string'],
    [{ meta: { 'a-b': 'c' } }, 'meta.a-b key must contain only letters, digits and underscores'],
    [{ meta: { a: 1 } }, 'meta.a must be a string'],
    [
      { meta: Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`k${index}`, 'x'.repeat(900)])) },
      'meta must be shorter than or equal to 8192 characters as JSON',
    ],
  ])('is refused like %j', async (more, text) => {
    for (const refused of [await fund('x', more), await withdraw('x', more)]) {
      expect([refused.status, refused.body.message]).toEqual([400, [text]]);
    }
    expect((await business.moneyOf('ann')).balance).toBe(100);
  });

  it('may look like one of the ledger', async () => {
    const { data } = ok(await fund('TX_1001'));
    expect((await get('/transactions/TX_1001/reference')).data.id).toBe(data.id);
  });
});

describe('a list of transactions', () => {
  it('is filtered by own reference and by meta', async () => {
    const card = ok(await fund('1', { meta: { method: 'card', shop: 'x' } })).data.id;
    const cash = ok(await withdraw('2', { meta: { method: 'cash', shop: 'x' } })).data.id;
    ok(await fund('3'));
    expect(await idsOf('own_reference=2')).toEqual([cash]);
    expect(await idsOf('own_reference=4')).toEqual([]);
    expect(await idsOf('meta_shop=x')).toEqual([card, cash]);
    expect(await idsOf('meta_shop=x&meta_method=cash')).toEqual([cash]);
    expect(await idsOf('meta_shop=x&transaction_type=credit')).toEqual([card]);
    expect(await idsOf('meta_shop=y')).toEqual([]);
    const page = await get('/transactions?meta_shop=x&per_page=1');
    expect(page).toMatchObject({ total: 2, data: [{ id: card }] });
    expect(await idsOf(`meta_shop=x&per_page=1&cursor=${page.next}`)).toEqual([cash]);
  });
});
