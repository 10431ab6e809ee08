import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, type LoggedIn, logIn, registerAndLogIn, type TestClient } from '#testing/client.js';
import { countLockWaits, holding } from '#testing/databases.js';
import { type Admin, generateKeys, ok, registerAdmin } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import { startWebhookReceiver, type WebhookReceiver } from '#tools/shared/webhook-receiver.js';

// An endpoint carries every later event of an account away, so making one is giving access to the account.

const NEEDED = { status: 400, error: 'This account asks for its password here: send it as password' };
const NEW_ADDRESS = 'A webhook endpoint has a new address';

const api = withTestApi({ hasWorker: true, settings: { ALLOW_PRIVATE_WEBHOOKS: 'true', BCRYPT_COST: '10' } });
let receiver: WebhookReceiver;
let admin: Admin;
let account: LoggedIn;
let accountId: number;
let target: { url: string; types: string[] };

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  target = { url: `${receiver.url}/first`, types: ['user.*'] };
  admin = await registerAdmin(api.client, api.database);
});
afterAll(() => receiver?.close());

beforeEach(async () => {
  account = await registerAndLogIn(api.client);
  accountId = account.id;
});

const make = async () => ok(await account.client.post('/webhook-endpoints', target)).data.id as number;
const eventsOf = async (type: string) => ok(await account.client.get(`/account-events?type=${type}`), 200).data;

describe('a webhook endpoint', () => {
  it('is made, changed and deleted with an account event that names who did it', async () => {
    const { base64 } = await generateKeys(account);
    const made = await api.client.as({ base64 }).post('/webhook-endpoints', target);
    const { id } = ok(made).data;
    const url = `${receiver.url}/second`;
    ok(await account.client.patch(`/webhook-endpoints/${id}`, { url }), 200);
    ok(await account.client.post(`/webhook-endpoints/${id}/rotate-secret`), 200);
    for (const act of ['disable', 'disable', 'enable'])
      ok(await account.client.post(`/webhook-endpoints/${id}/${act}`), 200);
    ok(await account.client.post(`/webhook-endpoints/${id}/replay`, { after: null }), 200);
    ok(await account.client.delete(`/webhook-endpoints/${id}`), 200);
    const first = { id, ...target, mode: 'ordered', state: 'active' };
    const second = { ...first, url };
    const key = { type: 'key', account_id: accountId, api_key_id: expect.any(Number), name: 'default' };
    const owner = { type: 'account', account_id: accountId, api_key_id: null, name: account.name };
    const [created] = await eventsOf('webhook-created');
    expect(created).toMatchObject({ actor: key, address: '127.0.0.1', before: null, after: first });
    expect(created.request_id).toBe(made.headers.get('x-request-id'));
    expect(await eventsOf('webhook-changed')).toMatchObject([
      { actor: owner, before: first, after: { ...second, act: 'updated' } },
      { before: second, after: { ...second, act: 'secret-rotated' } },
      { before: second, after: { ...second, state: 'disabled', act: 'disabled' } },
      { before: { ...second, state: 'disabled' }, after: { ...second, act: 'enabled' } },
      { before: second, after: { ...second, act: 'replayed' } },
    ]);
    expect(await eventsOf('webhook-deleted')).toMatchObject([{ actor: owner, before: second, after: null }]);
  });

  it('sends the account a mail when it is made or has another address, and says no address there', async () => {
    const id = await make();
    const { raw: text } = await api.mailTo(account, NEW_ADDRESS, 1);
    expect(text).toContain(
      `the webhook endpoint ${id} of your account has been made, or sends to another address now.`,
    );
    expect(text).not.toContain(receiver.url);
    ok(await account.client.patch(`/webhook-endpoints/${id}`, { url: target.url, types: ['wager.*'] }), 200);
    ok(await account.client.patch(`/webhook-endpoints/${id}`, { url: `${receiver.url}/second` }), 200);
    await api.mailTo(account, NEW_ADDRESS, 2);
    const mails = await api.database.query(
      `SELECT FROM outbox WHERE account_id = $1 AND topic = 'webhook-address-mail'`,
      [accountId],
    );
    expect(mails).toHaveLength(2);
  });

  it('that is refused leaves neither event nor mail', async () => {
    const id = await make();
    expect((await account.client.patch('/webhook-endpoints/999999', { url: target.url })).status).toBe(404);
    expect((await account.client.patch(`/webhook-endpoints/${id}`, { url: 'ftp://example.com' })).status).toBe(400);
    expect(await eventsOf('webhook-changed')).toEqual([]);
  });
});

describe('the preference confirm_keys', () => {
  it('asks for the password when an endpoint is made, changed or gets a new secret', async () => {
    const id = await make();
    ok(await account.client.patch('/auth/account/preferences', { confirm_keys: true }), 200);
    const { password } = account;
    const url = `${receiver.url}/other`;
    const guarded: [method: 'POST' | 'PATCH', path: string, body: object, status: number][] = [
      ['POST', '/webhook-endpoints', target, 201],
      ['PATCH', `/webhook-endpoints/${id}`, { url }, 200],
      ['PATCH', `/webhook-endpoints/${id}`, { types: ['*'] }, 200],
      ['POST', `/webhook-endpoints/${id}/rotate-secret`, {}, 200],
    ];
    for (const [method, path, body, status] of guarded) {
      expect((await account.client.call(method, path, { body })).body).toEqual(NEEDED);
      const wrong = await account.client.call(method, path, { body: { ...body, password: 'not my password' } });
      expect([wrong.status, wrong.body.error]).toEqual([400, 'Current password is incorrect']);
      const events = (await eventsOf('webhook-created,webhook-changed')).length;
      ok(await account.client.call(method, path, { body: { ...body, password } }), status);
      expect(await eventsOf('webhook-created,webhook-changed')).toHaveLength(events + 1);
    }
    ok(await account.client.patch(`/webhook-endpoints/${id}`, { description: 'for the till' }), 200);
    ok(await account.client.post(`/webhook-endpoints/${id}/disable`), 200);
  });

  it('lets a request with a key be sent again with the password, which is in no hash', async () => {
    const id = await make();
    ok(await account.client.patch('/auth/account/preferences', { confirm_keys: true }), 200);
    const keyed = account.client.with({ 'Idempotency-Key': 'move it' });
    const path = `/webhook-endpoints/${id}`;
    const body = { url: `${receiver.url}/moved` };
    expect((await keyed.patch(path, body)).body).toEqual(NEEDED);
    const moved = await keyed.patch(path, { ...body, password: account.password });
    expect(ok(moved, 200).data.url).toBe(body.url);
    const again = await keyed.patch(path, body);
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', moved.body]);
  });
});

/** Ends all access while the request, which the API has let in, waits for the account's row. */
async function whileAccessEnds(call: () => Promise<{ readonly status: number }>): Promise<number> {
  const waits = (count: number) => waitFor(async () => (await countLockWaits(api.environment.database)) === count);
  return holding(
    api.environment.database,
    `SELECT FROM accounts WHERE id = ${accountId} FOR UPDATE`,
    async (release) => {
      const ending = admin.client.post(`/admin/accounts/${accountId}/end-access`);
      await waits(1);
      const calling = call();
      await waits(2);
      await release();
      ok(await ending, 200);
      return (await calling).status;
    },
  );
}

describe('a request that the API let in before all access ended', () => {
  it.each<[does: string, credential: 'token' | 'key', call: (client: TestClient, id: number) => Promise<Answer>]>([
    ['makes no webhook endpoint', 'token', (client) => client.post('/webhook-endpoints', target)],
    ['with a key makes none either', 'key', (client) => client.post('/webhook-endpoints', target)],
    ['changes none', 'token', (client, id) => client.patch(`/webhook-endpoints/${id}`, { url: `${target.url}/late` })],
    ['enables none', 'key', (client, id) => client.post(`/webhook-endpoints/${id}/enable`)],
    [
      'with an Idempotency-Key leaves no answer for its owner',
      'token',
      (client, id) => client.with({ 'Idempotency-Key': 'late' }).post(`/webhook-endpoints/${id}/disable`),
    ],
    ['makes no API key', 'token', (client) => client.post('/auth/account/api-keys', { name: 'late' })],
  ])('%s', async (_does, credential, call) => {
    const { base64 } = await generateKeys(account);
    const id = await make();
    const client = credential === 'token' ? account.client : api.client.as({ base64 });
    expect(await whileAccessEnds(() => call(client, id))).toBe(401);
    const owner = api.client.as({ token: await logIn(api.client, account) });
    const ended = { id, url: target.url, state: 'disabled', disabled_reason: 'access-ended' };
    const listed = ok(await owner.get('/webhook-endpoints'), 200).data;
    expect(listed).toEqual([expect.objectContaining(ended)]);
    expect(ok(await owner.get('/auth/account/api-keys'), 200).data).toEqual([]);
    const [{ type }] = ok(await owner.get('/account-events?per_page=100'), 200).data.slice(-2);
    expect(type).toBe('access-ended');
    const late = await owner.with({ 'Idempotency-Key': 'late' }).post(`/webhook-endpoints/${id}/disable`);
    expect([late.status, late.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });
});
