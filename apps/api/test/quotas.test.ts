import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Refusal } from '#platform/errors/refusal.js';
import { quotas } from '#platform/quotas/quotas.js';
import { StoredBytes } from '#platform/quotas/stored-bytes.js';
import { sendRaw, statusesIn } from '#proof/framing/raw-request.js';
import { createQuickAccount } from '#testing/quick-accounts.js';
import { ok, openTestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

const api = withTestApi();

afterEach(() => {
  jest.restoreAllMocks();
});

const refusalsOf = (accountId: bigint | number) =>
  api.database.query(
    `SELECT after, actor ->> 'account_id' AS actor FROM account_events WHERE account_id = $1 AND type = 'quota-refused'`,
    [accountId],
  );

describe('stored bytes', () => {
  it('are the body of a request that changed data, as it was read, and the answer that a key stores', async () => {
    const { client, account } = await openTestBusiness(api.client);
    const { id } = account;
    const added = jest.spyOn(StoredBytes.prototype, 'add');
    /** Its headers say nothing of its length, or something else. */
    const post = (sent: NonNullable<RequestInit['body']>, headers: Record<string, string>) =>
      fetch(`${api.client.baseUrl}/account/user`, {
        method: 'POST',
        body: sent,
        duplex: 'half',
        headers: { Authorization: `Bearer ${account.token}`, 'Content-Type': 'application/json', ...headers },
      } as RequestInit);
    const body = {
      name: 'Ann',
      reference: 'ann',
      meta: { one: 'x'.repeat(1_000), two: 'y'.repeat(1_000), three: 'z'.repeat(1_000) },
    };
    const length = JSON.stringify(body).length;
    ok(await client.post('/account/user', body));
    const withKey = { headers: { 'Idempotency-Key': 'one' } };
    const keyed = await client.post('/account/user', { ...body, reference: 'bob' }, withKey);
    const text = (reference: string) => JSON.stringify({ ...body, reference });
    expect((await post(new Blob([text('dan')]).stream(), {})).status).toBe(201);
    expect((await post(gzipSync(text('eve')), { 'Content-Encoding': 'gzip' })).status).toBe(201);
    ok(await client.get('/account/user'), 200);
    // A body that is not read, a refusal and a replay store nothing.
    await post('', { 'Content-Length': '0' });
    expect((await client.post('/account/user', { ...body, reference: 'bob' }, withKey)).status).toBe(201);
    expect((await client.post('/account/user', body)).status).toBe(409);
    const holder = expect.objectContaining({ accountId: BigInt(id), registeredFrom: expect.any(String) });
    const answerBytes = Buffer.byteLength(JSON.stringify(keyed.body));
    expect(added.mock.calls).toEqual([
      [holder, length],
      [holder, length + answerBytes],
      [holder, length],
      [holder, length],
    ]);
    jest.spyOn(StoredBytes.prototype, 'assertRoom').mockImplementation((_, bodyBytes) => {
      if (bodyBytes === length) throw new Refusal('rate-limited', { retryAfterSeconds: 300 });
    });
    const refused = await client.post('/account/user', { ...body, reference: 'cat' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '300']);
    expect(ok(await client.get('/account/user'), 200).data.total).toBe(4);
  });
});

describe('a length that a header claims', () => {
  it('counts for nothing where no body is read', async () => {
    const { account } = await openTestBusiness(api.client);
    const added = jest.spyOn(StoredBytes.prototype, 'add');
    const head = ['POST /webhook-endpoints/1/disable HTTP/1.1', 'Host: x', `Authorization: Bearer ${account.token}`];
    const request = [...head, 'Content-Length: 99999999999', '', ''].join('\r\n');
    const port = Number(new URL(api.client.baseUrl).port);
    const { text } = await sendRaw(port, [request], { firstMs: 5_000, moreMs: 50 });
    expect(statusesIn(text)).toHaveLength(1);
    for (const [, bytes] of added.mock.calls) expect(bytes).toBe(0);
  });
});

describe('lists that wait', () => {
  it('are bounded for the accounts of one network, which are told, and others wait besides', async () => {
    const hangingUp = new AbortController();
    const account = async (registeredFrom: string) => {
      const { token, id } = await createQuickAccount(api.database, { registeredFrom });
      const headers = { Authorization: `Bearer ${token}` };
      const get = (path: string) => () => fetch(`${api.client.baseUrl}${path}`, { headers, signal: hangingUp.signal });
      return { id, list: get('/account/user'), readLog: get('/events') };
    };
    const crowd = [await account('192.0.2.0/24'), await account('192.0.2.0/24')];
    const [refused, elsewhere] = [await account('192.0.2.0/24'), await account('198.51.100.0/24')];
    await withPostgresClient({ connectionString: api.database.url }, async (client) => {
      await client.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
      let refusals = 0;
      const count = (list: () => Promise<Response>) => async () => {
        if ((await list()).status === 429) refusals += 1;
      };
      const lists = crowd.flatMap(({ list }) => Array.from({ length: 505 }, count(list)));
      const settled = Promise.allSettled(lists);
      await waitFor(() => refusals === 2 * 505 - quotas.lists.network);
      expect((await refused.list()).status).toBe(429);
      expect((await refused.readLog()).status).toBe(429);
      const other = elsewhere.list();
      await client.query('COMMIT');
      expect((await other).status).toBe(200);
      hangingUp.abort();
      await settled;
    });
    await waitFor(async () => (await refusalsOf(refused.id)).length > 0);
    expect(await refusalsOf(refused.id)).toEqual([{ after: { quota: 'lists' }, actor: String(refused.id) }]);
  });
});
