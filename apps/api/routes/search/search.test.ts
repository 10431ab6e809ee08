import { describe, expect, it } from '@jest/globals';
import { ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ settings: { RATE_LIMITS: 'off' } });
const business = withBusiness(api, { ann: 1000, bob: 1000 });

interface Hit {
  readonly kind: string;
  readonly id: number;
  readonly reference: string | null;
  readonly detail: string | null;
}

const answerTo = async (q: string, { client }: Pick<TestBusiness, 'client'> = business, more = '') =>
  ok(await client.get(`/search?q=${encodeURIComponent(q)}${more}`), 200);
const found = async (q: string, of?: Pick<TestBusiness, 'client'>, more = ''): Promise<string[]> =>
  (await answerTo(q, of, more)).data.map(({ kind, reference, id }: Hit) => `${kind} ${reference ?? id}`);

async function idOf({ account }: TestBusiness): Promise<number> {
  const [row] = await api.database.query('SELECT id::int FROM accounts WHERE email = $1', [account.email]);
  return Number(row?.id);
}

describe('a search', () => {
  it('finds each kind by what it is called', async () => {
    const { client } = business;
    ok(await client.put('/wagers/Final 50%25-home_win', { event: 'Wembley' }), 200);
    const paid = ok(
      await client.post('/transactions/fund-user', { user_reference: 'ann', amount: 5, reference: 'slip-9' }),
    ).data;
    const { bet_id: bet } = ok(await business.make('ann', 10, 2.5)).data;
    expect(await found('an')).toEqual(['user ann']);
    for (const q of ['%-HOME', '50%', 'home_', 'Wembley']) expect(await found(q)).toEqual(['wager Final 50%-home_win']);
    for (const q of ['_ome', '%%', 'ann%', 'Wembl']) expect(await found(q)).toEqual([]);
    expect((await answerTo('Wembley')).data).toMatchObject([{ kind: 'wager', detail: 'Wembley' }]);
    for (const q of [paid.reference, 'slip-9']) {
      expect((await answerTo(q)).data).toEqual([
        {
          kind: 'transaction',
          id: paid.id,
          reference: paid.reference,
          detail: 'ann',
          created_at: expect.any(String),
        },
      ]);
    }
    for (const q of [`${bet}`, `#${bet}`, ` ${bet} `]) expect(await found(q)).toContain(`bet ${bet}`);
    expect(await found(`${paid.id}`)).toContain(`transaction ${paid.reference}`);
    const [event] = (await answerTo('1')).data.filter(({ kind }: Hit) => kind === 'event');
    expect(event).toMatchObject({ id: 1, reference: null, detail: expect.stringMatching(/^\w+\.\w+$/) });
  });

  it('shows what is named exactly first, then the newest, twenty at most', async () => {
    const many = await openTestBusiness(api.client);
    await api.database.query(
      `INSERT INTO wagers (account_id, reference, created_at)
       SELECT $1, 'race ' || i, timestamptz '2026-01-01Z' + i * interval '1 hour' FROM generate_series(1, 30) i`,
      [await idOf(many)],
    );
    for (const name of ['race', 'racer']) await many.user(name);
    const wagers = Array.from({ length: 10 }, (_, index) => `wager race ${30 - index}`);
    expect(await answerTo('race', many)).toMatchObject({ has_more: true });
    expect(await found('race', many)).toEqual(['user race', 'user racer', ...wagers]);
    expect(await found('race 3', many)).toEqual(['wager race 3', 'wager race 30']);
    expect(await answerTo('race 3', many)).toMatchObject({ has_more: false });
    expect(await answerTo('nothing', many)).toEqual({ data: [], has_more: false });
  });

  it('finds the old among thousands by three letters, and says when it may have missed some', async () => {
    const old = await openTestBusiness(api.client);
    await api.database.query(
      `INSERT INTO wagers (account_id, reference, created_at)
       SELECT $1, CASE WHEN i % 2500 = 1 THEN 'needle-' WHEN i < 2999 THEN 'hay ' ELSE 'grass ' END || i, timestamptz '2026-01-01Z' + i * interval '1 s'
         FROM generate_series(1, 5000) i`,
      [await idOf(old)],
    );
    await api.database.query(
      `INSERT INTO users (account_id, reference, name) SELECT $1, 'u' || i, CASE i WHEN 1 THEN 'Zoë Ångström' ELSE 'x' END
         FROM generate_series(1, 3000) i`,
      [await idOf(old)],
    );
    expect(await answerTo('EEDLE-', old)).toMatchObject({
      data: [{ reference: 'needle-2501' }, { reference: 'needle-1' }],
      has_more: false,
    });
    expect(await found('NGSTR', old)).toEqual(['user u1']);
    expect(await answerTo('e-', old)).toEqual({ data: [], has_more: true });
    expect(await found('needle-1', old)).toEqual(['wager needle-1']);
    // The index names more rows than a search looks at.
    const { data, has_more } = await answerTo('hay', old);
    expect([data.length, has_more]).toEqual([10, true]);
  });
});

describe('a search of an account', () => {
  it('finds nothing of another one, which an admin may name', async () => {
    const stranger = await openTestBusiness(api.client);
    const { bet_id: bet } = ok(await business.make('bob', 1)).data;
    const account = await idOf(business);
    for (const q of ['bob', 'match', `${bet}`, 'Wembley', 'slip-9']) {
      expect(await found(q, stranger)).toEqual([]);
      expect(await found(q, stranger, `&account_id=${account}`)).toEqual([]);
    }
    const admin = await registerAdmin(api.client, api.database);
    expect((await found('bob', admin, `&account_id=${account}`))[0]).toBe('user bob');
    expect(await found('bob', admin)).toEqual([]);
  });

  it.each([
    ['', ['property q should not be empty']],
    ['q=', []],
    ['q=%20', []],
    ['q=a%0ab', []],
    ['q=a%00', []],
    [`q=${'a'.repeat(256)}`, []],
    ['q=a&q=b', []],
    ['q=a&account_id=x', []],
    ['q=a&per_page=5', []],
  ])('refuses the query %j', async (query) => {
    const { status, body } = await business.client.get(`/search?${query}`);
    expect([status, body.message.length > 0]).toEqual([400, true]);
  });

  it('takes the largest numbers and strange texts', async () => {
    for (const q of [
      '9007199254740991',
      '9999999999999999',
      '99999999999999999999',
      '\\',
      '%',
      '_',
      "'",
      '€',
      '#',
      '---',
    ]) {
      expect((await answerTo(q)).data.every(({ kind }: Hit) => kind !== 'bet')).toBe(true);
    }
  });
});
