import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Refusal } from '#platform/errors/refusal.js';
import { quotas } from '#platform/quotas/quotas.js';
import { StoredBytes } from '#platform/quotas/stored-bytes.js';
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
  it('are what a request that changes data sends, and with a key as much again', async () => {
    const { client } = await openTestBusiness(api.client);
    const { id } = ok(await client.get('/auth/account/me'), 200).data;
    const taken = jest.spyOn(StoredBytes.prototype, 'take');
    const body = {
      name: 'Ann',
      reference: 'ann',
      meta: { one: 'x'.repeat(1_000), two: 'y'.repeat(1_000), three: 'z'.repeat(1_000) },
    };
    const length = JSON.stringify(body).length;
    ok(await client.post('/account/user', body));
    ok(await client.post('/account/user', { ...body, reference: 'bob' }, { headers: { 'Idempotency-Key': 'one' } }));
    ok(await client.get('/account/user'), 200);
    const holder = expect.objectContaining({ accountId: BigInt(id), registeredFrom: expect.any(String) });
    expect(taken.mock.calls).toEqual([
      [holder, length],
      [holder, 2 * length],
    ]);
    taken.mockImplementation(() => {
      throw new Refusal('rate-limited', { retryAfterSeconds: 300 });
    });
    const refused = await client.post('/account/user', { ...body, reference: 'cat' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '300']);
    expect(ok(await client.get('/account/user'), 200).data.total).toBe(2);
  });
});

describe('lists that wait', () => {
  it('are bounded for the accounts of one network, which are told, and others wait besides', async () => {
    const hangingUp = new AbortController();
    const account = async (registeredFrom: string) => {
      const { token, id } = await createQuickAccount(api.database, { registeredFrom });
      const headers = { Authorization: `Bearer ${token}` };
      return { id, list: () => fetch(`${api.client.baseUrl}/account/user`, { headers, signal: hangingUp.signal }) };
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
