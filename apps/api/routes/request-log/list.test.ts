import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLedgerClient } from '#clients/typescript/client.js';
import { offer, ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
const business = withBusiness(api, { ann: 100 });
let other: TestBusiness;
let keyId: number;

interface Listed {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string;
  readonly request_id: string;
  readonly key: { readonly kind: string; readonly id: number; readonly name: string | null };
}

const logOf = async ({ client }: TestBusiness, query = ''): Promise<Listed[]> =>
  ok(await client.get(`/request-log${query}`), 200).data;
const codesOf = async (query: string) => (await logOf(business, query)).map(({ code }) => code);

/** A refused, a failed and an unauthorized call, and calls that succeed. */
beforeAll(async () => {
  other = await openTestBusiness(api.client);
  const key = ok(await business.client.post('/auth/account/api-keys', { name: 'server' })).data;
  keyId = key.id;
  const secret = { base64: key.base64_encoded };
  await api.client.as({ token: `1.${'x'.repeat(43)}` }).get('/wagers');
  await business.client.get('/account/user/a-secret-name/reference');
  await business.client.with({ 'X-Request-Id': 'mine-1' }).post('/bets/make-offer', offer('ann', 500));
  await waitFor(async () => (await logOf(business)).length === 2);
  const keyed = api.client.as(secret).with({ 'Idempotency-Key': 'once' });
  for (let times = 0; times < 2; times += 1) await keyed.post('/bets/make-offer', offer('ann', 600));
  await other.client.get('/exports/4711');
  await waitFor(async () => (await logOf(business)).length === 4 && (await logOf(other)).length === 1);
});

describe('the request log', () => {
  it('has the refused calls of the account, the newest first, replays among them, and nothing else', async () => {
    const [last, replayed, third, first] = await logOf(business);
    expect(replayed).toMatchObject({ code: 'offer-unfunded', key: last?.key });
    expect(last?.key).toEqual({ kind: 'api-key', id: keyId, name: 'server' });
    const unfunded = { method: 'POST', route: '/bets/make-offer', status: 400, code: 'offer-unfunded' };
    expect(third).toMatchObject({ ...unfunded, request_id: 'mine-1', key: { kind: 'session', name: null } });
    expect(first).toMatchObject({ method: 'GET', route: '/account/user/:reference/reference', code: 'user-not-found' });
    expect((await logOf(other)).map(({ code }) => code)).toEqual(['export-not-found']);
  });

  it('keeps nothing that a path, a query or a body said', async () => {
    const rows = await api.database.query('SELECT r::text AS row FROM refused_calls r');
    expect(rows.length).toBeGreaterThan(4);
    expect(JSON.stringify(rows)).not.toMatch(/a-secret-name|match|requesting/);
  });

  it('is filtered by status, code and time', async () => {
    expect(await codesOf('?status=404')).toEqual(['user-not-found']);
    expect(await codesOf('?status=404,400&code=user-not-found')).toEqual(['user-not-found']);
    expect(await codesOf('?code=offer-unfunded,user-not-found&created_after=2026-01-01')).toHaveLength(4);
    expect(await codesOf('?created_before=2020-01-01')).toEqual([]);
    for (const wrong of ['status=refused', 'code=nothing', 'created_after=soon']) {
      expect((await business.client.get(`/request-log?${wrong}`)).status).toBe(400);
    }
  });

  it('is walked by cursor with the typed client', async () => {
    const { token } = other.account;
    const ledger = createLedgerClient({ baseUrl: api.client.baseUrl, token });
    for (let times = 0; times < 4; times += 1) await other.client.get('/exports/4711');
    await waitFor(async () => (await logOf(other)).length >= 5);
    const ids: number[] = [];
    for await (const { id } of ledger.requestLog.list({ per_page: 2, code: ['export-not-found'] })) ids.push(id);
    expect(ids).toHaveLength(5);
    expect(ids).toEqual(ids.toSorted((one, next) => next - one));
  });
});
