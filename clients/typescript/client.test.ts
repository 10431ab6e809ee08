import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inventAccount } from '../../testing/client.js';
import { startTestApi, type TestPart } from '../../testing/parts.js';
import { startUnreliableProxy, type UnreliableProxy } from '../../testing/unreliable-proxy.js';
import { withTestEnvironment } from '../../testing/with-environment.js';
import {
  createLedgerClient,
  type LedgerClient,
  type LedgerClientOptions,
  LedgerError,
  LedgerUnreachable,
  requestIdOf,
} from './client.js';

const environment = withTestEnvironment(async () => api?.close());
let api: TestPart;
let proxy: UnreliableProxy;

beforeAll(async () => {
  api = await startTestApi(environment);
});

type Options = Partial<LedgerClientOptions>;

/** With short waits: most tests are not about time. */
const through = (baseUrl: string, options: Options = {}) =>
  createLedgerClient({ baseUrl, firstWaitMs: 5, ...options } as LedgerClientOptions);

const loginOf = ({ email, password } = inventAccount()) => ({ email, password });

async function openBusiness(baseUrl = api.client.baseUrl): Promise<{ token: string; email: string; password: string }> {
  const stranger = through(baseUrl);
  const account = inventAccount();
  await stranger.post('/auth/register/account', { body: account });
  const { data } = await stranger.post('/auth/login/account', { body: loginOf(account) });
  return { ...account, token: data.token };
}

async function fundedUsers(ledger: LedgerClient): Promise<void> {
  for (const name of ['ann', 'bob']) {
    await ledger.post('/account/user', { body: { name, reference: name, meta: { team: name } } });
    await ledger.post('/transactions/fund-user', { body: { user_reference: name, amount: 100 } });
  }
}

const balanceOf = async (ledger: LedgerClient, reference = 'ann') =>
  (await ledger.get('/account/user/{reference}/reference', { params: { path: { reference } } })).data.balance;

const thrownBy = async <Thrown extends Error>(call: Promise<unknown>): Promise<Thrown> =>
  call.then(
    (answer) => {
      throw new Error(`was answered: ${JSON.stringify(answer)}`);
    },
    (error: Thrown) => error,
  );

describe('calls', () => {
  it('play a bet from the first offer to its settlement', async () => {
    const ledger = through(api.client.baseUrl, await openBusiness());
    await fundedUsers(ledger);
    const { data: made } = await ledger.post('/bets/make-offer', {
      body: { wager_reference: 'home', requesting_odds: 2.5, requesting_amount: 10, requesting_user_reference: 'ann' },
    });
    const { data: matches } = await ledger.post('/bets/accept-offer', {
      body: { bet_id: made.bet_id, maximum_odds: 3, accepting_amount: 4, accepting_user_reference: 'bob' },
    });
    expect(matches.map(({ accepted_amount }) => accepted_amount)).toEqual([4]);
    await ledger.post('/bets/update-wager-outcome', { body: { reference: 'home', outcome: 'win' } });
    const { data: bet } = await ledger.get('/bets/{id}', {
      params: { path: { id: made.bet_id }, query: { include_bet_trails_transactions: true } },
    });
    expect(bet.bet_trails?.at(-1)?.transactions.map(({ amount }) => amount)).toEqual([6, 6]);
    expect(await balanceOf(ledger)).toBe(106);
  });

  it('send lists with commas, and filters by meta as parameters of their own', async () => {
    const ledger = through(api.client.baseUrl, await openBusiness());
    await fundedUsers(ledger);
    const query = { user_references: ['ann', 'bob', 'nobody'], transaction_source: 'funding' as const };
    expect((await ledger.get('/transactions', { params: { query } })).total).toBe(2);
    const { data } = await ledger.get('/account/user', { params: { query: { meta: { meta_team: 'bob' } } } });
    expect(data.items.map(({ reference }) => reference)).toEqual(['bob']);
  });

  it('accept an API key as the credential', async () => {
    const account = await openBusiness();
    const { data: keys } = await through(api.client.baseUrl, account).post('/auth/account/generate-keys');
    const ledger = through(api.client.baseUrl, { apiKey: keys.api_key, apiSecret: keys.api_secret });
    expect((await ledger.get('/auth/account/me')).data.email).toBe(account.email);
  });

  it('are checked by the compiler', async () => {
    const ledger = through(api.client.baseUrl, await openBusiness());
    const login = { body: { email: 'nobody@example.com', password: 'x' } };
    const refused = [
      // @ts-expect-error There is no such path.
      () => ledger.get('/nowhere'),
      // @ts-expect-error It needs a body.
      () => ledger.post('/bets/make-offer'),
      // @ts-expect-error An outcome is one of a few words.
      () => ledger.post('/bets/update-wager-outcome', { body: { reference: 'home', outcome: 'draw' } }),
      // @ts-expect-error A request with a secret takes no key.
      () => ledger.post('/auth/login/account', { ...login, idempotencyKey: 'k' }),
    ];
    for (const call of refused) expect(await thrownBy(call())).toBeInstanceOf(LedgerError);
  });
});

describe('a read that waits for events', () => {
  it('has its wait beside the time of every attempt', async () => {
    const ledger = through(api.client.baseUrl, { ...(await openBusiness()), timeoutMs: 1_000, retries: 0 });
    const { head } = await ledger.get('/events');
    const waited = await ledger.get('/events', { params: { query: { after: head, wait_ms: 1_500 } } });
    expect(waited).toMatchObject({ data: [], head });
  });
});

describe('an answer', () => {
  it('has the id of its request, given or not', async () => {
    const ledger = through(api.client.baseUrl, await openBusiness());
    const body = { name: 'Ann', reference: 'ann' };
    const made = await ledger.post('/account/user', { body, headers: { 'X-Request-Id': 'signup-17' } });
    expect(requestIdOf(made)).toBe('signup-17');
    const { data } = await ledger.get('/events', { params: { query: { types: 'user.created' } } });
    expect(data[0]).toMatchObject({ request_id: 'signup-17' });
    expect(requestIdOf(await ledger.get('/wagers'))).toMatch(/^[\w-]{36}$/);
    expect(requestIdOf({})).toBeUndefined();
  });
});

describe('a refusal', () => {
  it('is thrown with the texts of the service and the id of the request', async () => {
    const ledger = through(api.client.baseUrl, await openBusiness());
    const malformed = await thrownBy<LedgerError>(
      ledger.post('/transactions/fund-user', {
        body: { amount: 0, user_id: 1.5 },
        headers: { 'X-Request-Id': 'mine' },
      }),
    );
    expect(malformed).toMatchObject({
      name: 'LedgerError',
      status: 400,
      texts: ['amount must not be less than 0.01', 'user_id must be an integer number'],
      requestId: 'mine',
      operation: 'POST /transactions/fund-user',
      idempotencyKey: expect.stringMatching(/^[\w-]{36}$/),
    });
    const unknown = await thrownBy<LedgerError>(
      ledger.get('/wagers/{reference}', { params: { path: { reference: 'x' } } }),
    );
    expect(unknown).toMatchObject({ status: 404, texts: ['Wager not found'], idempotencyKey: undefined });
    expect(unknown.message).toBe('GET /wagers/{reference} answered 404: Wager not found');
    const stranger = await thrownBy<LedgerError>(through(api.client.baseUrl).get('/wagers'));
    expect(stranger).toMatchObject({ status: 401, texts: ['Unauthorized'] });
  });

  it('is a value of the raw client, with status and headers', async () => {
    const { raw } = through(api.client.baseUrl, await openBusiness());
    const { data, error, response } = await raw.GET('/bets/{id}', { params: { path: { id: 1 } } });
    expect([data, error, response.status]).toEqual([undefined, { status: 404, error: 'Bet not found' }, 404]);
  });
});

describe('secrets', () => {
  it('do not go over http: to another machine, unless allowed', () => {
    const create = (baseUrl: string, options: Options = {}) => {
      createLedgerClient({ baseUrl, ...options } as LedgerClientOptions);
    };
    const credentials: Options[] = [{ token: 'a token' }, { apiKey: 'key', apiSecret: 'secret' }, {}];
    for (const credential of credentials) {
      for (const host of ['ledger.example', '10.0.0.1', 'localhost.example', '127.0.0.1.example', '[::2]']) {
        expect(() => create(`http://${host}:3000`, credential)).toThrow(/https: only/);
        expect(() => create(`https://${host}`, credential)).not.toThrow();
      }
      for (const host of ['localhost', '127.0.0.1', '[::1]', 'ledger.localhost']) {
        expect(() => create(`http://${host}:3000`, credential)).not.toThrow();
      }
    }
    expect(() => create('http://10.0.0.1', { token: 'a token', allowHttp: true })).not.toThrow();
  });

  it.each([301, 302, 307, 308])('do not follow a %d to another server', async (status) => {
    const [first, second] = [await startUnreliableProxy(''), await startUnreliableProxy(api.client.baseUrl)];
    const redirect = { status, headers: { Location: `${second.url}/auth/login/account` } };
    first.next(redirect, redirect, redirect);
    const ledger = through(first.url, { token: 'a token' });
    const calls = [
      () => ledger.post('/auth/login/account', { body: loginOf() }),
      () => ledger.post('/account/user', { body: { name: 'Ann' } }),
      () => ledger.get('/auth/account/me'),
    ];
    for (const call of calls) expect(await thrownBy(call())).toMatchObject({ name: 'LedgerError', status });
    expect(second.requests).toEqual([]);
    await first.close();
    await second.close();
  });
});

describe('when the network fails', () => {
  let account: { token: string };
  let ledger: LedgerClient;
  const fund = { body: { user_reference: 'ann', amount: 5 } };

  beforeAll(async () => {
    proxy = await startUnreliableProxy(api.client.baseUrl);
  });
  afterAll(() => proxy?.close());

  beforeEach(async () => {
    account = await openBusiness();
    await fundedUsers(through(api.client.baseUrl, account));
    ledger = through(proxy.url, account);
    proxy.next();
    (proxy.requests as unknown[]).length = 0;
  });

  it.each(['lose answer', 'cut answer', 'lose request'] as const)(
    'a change is repeated with its key, and has its effect once: %s',
    async (mishap) => {
      proxy.next(mishap, mishap);
      const { data } = await ledger.post('/transactions/fund-user', fund);
      expect(data.amount).toBe(5);
      const keys = proxy.requests.map(({ key }) => key);
      expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([3, 1, 'string']);
      expect(await balanceOf(ledger)).toBe(105);
    },
  );

  it('every call has a key of its own', async () => {
    await ledger.post('/transactions/fund-user', fund);
    await ledger.post('/transactions/fund-user', fund);
    await ledger.patch('/account/user/{reference}/reference', {
      params: { path: { reference: 'ann' } },
      body: { name: 'Ann B.' },
    });
    expect(new Set(proxy.requests.map(({ key }) => key)).size).toBe(3);
    expect(await balanceOf(ledger)).toBe(110);
  });

  it("the caller's key is used, across calls and clients", async () => {
    proxy.next('lose answer');
    const keyed = { ...fund, idempotencyKey: 'order 7' };
    const first = await ledger.post('/transactions/fund-user', keyed);
    expect(await through(api.client.baseUrl, account).post('/transactions/fund-user', keyed)).toEqual(first);
    const { response } = await ledger.raw.POST('/transactions/fund-user', {
      ...fund,
      params: { header: { 'Idempotency-Key': 'order 7' } },
    });
    expect(response.headers.get('Idempotent-Replayed')).toBe('true');
    expect(proxy.requests.map(({ key }) => key)).toEqual(['order 7', 'order 7', 'order 7']);
    const other = { body: { ...fund.body, amount: 6 }, idempotencyKey: 'order 7' };
    expect(await thrownBy(ledger.post('/transactions/fund-user', other))).toMatchObject({
      status: 422,
      idempotencyKey: 'order 7',
    });
    expect(await balanceOf(ledger)).toBe(105);
  });

  it('many calls with one key have one effect', async () => {
    const patient = through(proxy.url, { ...account, retries: 20, maxWaitMs: 2_000 });
    const calls = Array.from({ length: 20 }, () =>
      patient.post('/transactions/fund-user', { ...fund, idempotencyKey: 'one for all' }),
    );
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect(await balanceOf(ledger)).toBe(105);
  });

  it('a read is repeated', async () => {
    proxy.next('lose request', 'lose answer', 'cut answer');
    expect((await ledger.get('/auth/account/me')).data.name).toBeDefined();
    expect(proxy.requests).toHaveLength(4);
  });

  it('a request without an answer in time is repeated', async () => {
    proxy.next('hang');
    const hurried = through(proxy.url, { ...account, timeoutMs: 300, retries: 20 });
    await hurried.post('/transactions/fund-user', fund);
    // An answer of the API may be late, too.
    expect(proxy.requests.length).toBeGreaterThanOrEqual(2);
    expect(new Set(proxy.requests.map(({ key }) => key)).size).toBe(1);
    expect(await balanceOf(ledger)).toBe(105);
  });

  it('the client gives up after its retries, with an error that has the key', async () => {
    proxy.next(...Array.from({ length: 9 }, () => 'lose request' as const));
    const lost = await thrownBy<LedgerUnreachable>(
      through(proxy.url, { ...account, retries: 2 }).post('/transactions/fund-user', fund),
    );
    expect(lost).toBeInstanceOf(LedgerUnreachable);
    expect(lost).toMatchObject({ tries: 3, idempotencyKey: proxy.requests[0]?.key });
    expect(lost.message).toBe('POST /transactions/fund-user had no answer in 3 tries');
    expect(proxy.requests).toHaveLength(3);
  });

  it('the client gives up when its patience ends, however many retries are left', async () => {
    proxy.next(...Array.from({ length: 99 }, () => 'hang' as const));
    const hasty = through(proxy.url, { ...account, retries: 1_000, timeoutMs: 100, totalWaitMs: 400 });
    const lost = await thrownBy<LedgerUnreachable>(hasty.post('/transactions/fund-user', fund));
    expect(lost).toBeInstanceOf(LedgerUnreachable);
    expect(lost.tries).toBeLessThan(6);
    expect(await balanceOf(through(api.client.baseUrl, account))).toBe(100);
  });

  it('a request whose answer is not stored is sent once', async () => {
    const once: (() => Promise<unknown>)[] = [
      () => ledger.post('/auth/login/account', { body: loginOf() }),
      () => ledger.post('/auth/account/generate-keys'),
      () => ledger.get('/auth/account/verify-email', { params: { query: { token: 'used up' } } }),
    ];
    for (const call of once) {
      proxy.next('lose answer');
      expect(await thrownBy(call())).toMatchObject({ name: 'LedgerUnreachable', tries: 1 });
    }
    expect(proxy.requests).toHaveLength(3);
  });

  it('an aborted call ends at once', async () => {
    const controller = new AbortController();
    proxy.next('hang');
    const call = ledger.post('/transactions/fund-user', { ...fund, signal: controller.signal });
    const ended = thrownBy(call);
    controller.abort(new Error('enough'));
    expect((await ended).message).toBe('enough');
    expect(proxy.requests.length).toBeLessThanOrEqual(1);
  });
});

describe('when the service asks to wait', () => {
  let ledger: LedgerClient;

  beforeAll(async () => {
    proxy = await startUnreliableProxy(api.client.baseUrl);
    ledger = through(proxy.url, await openBusiness());
  });
  afterAll(() => proxy?.close());

  const busy = (status: number, seconds?: number) => ({
    status,
    headers: { 'Content-Type': 'application/json', ...(seconds && { 'Retry-After': String(seconds) }) },
    body: JSON.stringify({ status, error: 'Not now' }),
  });

  it.each([408, 429, 503, 502, 409])('a %d is repeated, after the time it names', async (status) => {
    proxy.next(busy(status, 1));
    const startedAt = performance.now();
    await ledger.post('/account/user', { body: { name: 'Ann' } });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000);
  });

  it('a 503 without a time is repeated, and a conflict is not', async () => {
    proxy.next(busy(503), busy(409));
    const name = `taken ${Date.now()}`;
    expect(await thrownBy(ledger.post('/account/user', { body: { name } }))).toMatchObject({ status: 409 });
  });

  it.each(['webhooks-off', 'second-factor-off'])('a 503 that is there to stay is not: %s', async (code) => {
    const { headers, ...answer } = busy(503);
    proxy.next({ ...answer, headers: { ...headers, 'Ledger-Error': code } });
    expect(await thrownBy(ledger.get('/wagers'))).toMatchObject({ status: 503, code });
  });

  it('the caller gets an answer that asks for too long a wait', async () => {
    proxy.next(busy(503, 3_600));
    expect(await thrownBy(ledger.get('/wagers'))).toMatchObject({ status: 503, retryAfterSeconds: 3_600 });
  });

  it('the caller gets an answer that asks for a longer wait than its patience', async () => {
    const hasty = through(proxy.url, { ...(await openBusiness()), maxWaitMs: 7_200_000, totalWaitMs: 60_000 });
    proxy.next(busy(503, 3_600));
    expect(await thrownBy(hasty.get('/wagers'))).toMatchObject({ status: 503, retryAfterSeconds: 3_600 });
  });

  it('a login is not repeated', async () => {
    proxy.next(busy(429, 1));
    const call = ledger.post('/auth/login/account', { body: loginOf() });
    expect(await thrownBy(call)).toMatchObject({ status: 429, retryAfterSeconds: 1 });
  });

  it('a caller beyond its limit succeeds after the wait', async () => {
    const limits = { RATE_LIMITS: 'account=3/s', REDIS_PREFIX: `${environment.redisPrefix}-client` };
    const limited = await startTestApi(environment, limits);
    try {
      const hasty = through(limited.client.baseUrl, await openBusiness());
      const calls = Array.from({ length: 5 }, () => hasty.get('/auth/account/me'));
      expect(await Promise.all(calls)).toHaveLength(5);
    } finally {
      await limited.close();
    }
  });
});
