import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLedgerClient, type LedgerEvent } from '#clients/typescript/client.js';
import { logIn, TestClient } from '#testing/client.js';
import { offer, ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { startWebhookReceiver } from '#tools/shared/webhook-receiver.js';
import { endpoints } from '../endpoints.js';
import { API_VERSION, VERSION_PATH } from '../version.js';

// `/v1/…` and the route without it are one route.

const api = withTestApi({ hasWorker: true, settings: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
const business = withBusiness(api);
let versioned: TestClient;

beforeAll(async () => {
  versioned = new TestClient(`${api.client.baseUrl}${VERSION_PATH}`, { token: business.account.token });
  for (const user of ['ann', 'bob']) await business.user(user);
});

/** The pattern of the route in the log line of the request with this id, once it is written. */
const routeInLog = (id: string): Promise<string> =>
  waitFor(() =>
    api.environment.logLines
      .flatMap((line) => {
        const { id: logged, route = 'none' } = JSON.parse(line);
        return logged === id ? [route] : [];
      })
      .at(0),
  );

describe('with the prefix of the version', () => {
  it.each(endpoints.map(({ method, path }) => [method.toUpperCase(), path] as const))(
    'the route is the same one: %s %s',
    async (method, pattern) => {
      const path = pattern.replace(/:\w+/g, '%2C');
      const body = method === 'GET' ? {} : { body: { colour: 'red' } };
      const id = `versioned ${method} ${pattern}`.replace(/[^\w.:-]/g, '-');
      const stranger = new TestClient(versioned.baseUrl);
      const plain = await api.client.call(method, path, body);
      const answer = await stranger.call(method, path, { ...body, headers: { 'X-Request-Id': id } });
      expect([answer.status, answer.body]).toEqual([plain.status, plain.body]);
      expect([400, 401]).toContain(answer.status);
      expect(answer.headers.get('Ledger-Version')).toBe(API_VERSION);
      expect(await routeInLog(id)).toBe(pattern);
    },
  );

  it('a bet is played, followed and shown', async () => {
    const ledger = createLedgerClient({ baseUrl: versioned.baseUrl, token: business.account.token });
    const { head: after } = await ledger.get('/events', { params: { query: { sort_direction: 'desc', limit: 1 } } });
    const { data: made } = await ledger.post('/bets/make-offer', { body: offer('ann', 10) });
    const accepted = { maximum_odds: 2, accepting_amount: 10, accepting_user_reference: 'bob' };
    await ledger.post('/bets/accept-offer', { body: { ...accepted, bet_id: made.bet_id } });
    await ledger.post('/bets/update-wager-outcome', { body: { reference: 'match', outcome: 'win' } });
    const seen: LedgerEvent[] = [];
    for await (const event of ledger.events.follow({ after: after as string })) {
      seen.push(event);
      if (event.type === 'wager.settled') break;
    }
    const [settled] = seen.flatMap((event) => (event.type === 'bet.settled' ? [event.bet] : []));
    expect(settled).toMatchObject({ id: made.bet_id, outcome: 'win' });
    expect((await ledger.get('/bets/{id}', { params: { path: { id: made.bet_id } } })).data.offer_status).toBe(
      'accepted',
    );
  });

  it('an export is made and downloaded', async () => {
    const period = { from: '2026-01-01', to: '2026-02-01' };
    const { id } = ok(await versioned.post('/exports', { kind: 'bets', ...period }), 202).data;
    await waitFor(async () => ok(await versioned.get(`/exports/${id}`), 200).data.state === 'done');
    const file = await versioned.get(`/exports/${id}/file`);
    expect([file.status, file.headers.get('Ledger-Version')]).toEqual([200, API_VERSION]);
    expect(file.body).toBe(ok(await business.client.get(`/exports/${id}/file`), 200));
  });

  it('webhook endpoints are managed', async () => {
    const receiver = await startWebhookReceiver();
    try {
      const { id } = ok(await versioned.post('/webhook-endpoints', { url: receiver.url, types: ['user.*'] })).data;
      ok(await versioned.post(`/webhook-endpoints/${id}/test`), 200);
      expect(receiver.received).toHaveLength(1);
      ok(await versioned.delete(`/webhook-endpoints/${id}`), 200);
      expect((await business.client.get(`/webhook-endpoints/${id}`)).status).toBe(404);
    } finally {
      await receiver.close();
    }
  });

  it('a key names one operation, with and without it', async () => {
    const { balance } = await business.moneyOf('bob');
    const keyed = { headers: { 'Idempotency-Key': 'once' } };
    const fund = { user_reference: 'bob', amount: 7 };
    const first = await business.client.post('/transactions/fund-user', fund, keyed);
    const again = await versioned.post('/transactions/fund-user', fund, keyed);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(ok(first));
    const other = await versioned.post('/transactions/fund-user', { ...fund, amount: 8 }, keyed);
    expect(other.status).toBe(422);
    expect((await business.moneyOf('bob')).balance).toBe(balance + 7);
  });

  it('requests count against the same limit', async () => {
    const left = async (client: TestClient) => {
      const { headers } = await client.post('/auth/account/confirm-email', {});
      return Number(/"route";r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]);
    };
    const before = await left(api.client);
    expect(await left(new TestClient(versioned.baseUrl))).toBe(before - 1);
  });

  it('a session ends', async () => {
    const token = await logIn(new TestClient(versioned.baseUrl), business.account);
    ok(await versioned.as({ token }).post('/auth/logout/account'), 200);
    expect((await api.client.as({ token }).get('/auth/account/me')).status).toBe(401);
  });
});

describe('the prefix', () => {
  it('may be in any case, and comes with the document', async () => {
    const { client } = business;
    expect((await client.get('/V1/auth/account/me')).body).toEqual((await client.get('/auth/account/me')).body);
    expect((await client.get('/v1/openapi.json')).body).toEqual((await client.get('/openapi.json')).body);
    const once = await api.client.call('HEAD', '/v1/auth/account/verify-email?token=x');
    expect([once.status, once.body]).toEqual([405, '']);
  });

  it.each([
    '/v1',
    '/v1/',
    '/v1/v1/auth/account/me',
    '/v1x/auth/account/me',
    '/v1//auth/account/me',
    '/v2/auth/account/me',
  ])('makes no route of %s', async (path) => {
    const answer = await business.client.get(path);
    expect([answer.status, answer.body]).toEqual([404, { status: 404, error: 'There is no such route' }]);
    expect(answer.headers.get('Ledger-Version')).toBe(API_VERSION);
  });

  it.each(['/healthz', '/readyz', '/metrics', '/docs', '/docs/start.js'])(
    'leaves %s, which is of the process, alone',
    async (path) => {
      const plain = await api.client.get(path);
      expect([plain.status, plain.headers.get('Ledger-Version')]).toEqual([200, API_VERSION]);
      expect((await api.client.get(`/v1${path}`)).status).toBe(404);
    },
  );
});
