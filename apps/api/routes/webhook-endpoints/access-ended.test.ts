import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { logIn, registerAndLogIn, type TestAccount, type TestClient } from '#testing/client.js';
import { codeIn } from '#testing/mails.js';
import { type Admin, ok, registerAdmin } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import { startWebhookReceiver, type WebhookReceiver } from '#tools/shared/webhook-receiver.js';

const api = withTestApi({ hasWorker: true, settings: { ALLOW_PRIVATE_WEBHOOKS: 'true', BCRYPT_COST: '10' } });
let receiver: WebhookReceiver;
let admin: Admin;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  admin = await registerAdmin(api.client, api.database);
});
afterAll(() => receiver?.close());

async function recover({ name, email }: TestAccount): Promise<string> {
  ok(await api.client.post('/auth/account/forgot-password', { email }), 200);
  const token = codeIn(await api.mailTo({ email }, 'Your password reset code', 1));
  const body = { email, token, password: 'a new password', password_confirmation: 'a new password' };
  ok(await api.client.post('/auth/account/create-password-for-forgot-password', body), 200);
  return logIn(api.client, { name, email, password: 'a new password' });
}

async function endAccess(account: TestAccount, id: number): Promise<string> {
  ok(await admin.client.post(`/admin/accounts/${id}/end-access`), 200);
  return logIn(api.client, account);
}

describe('a webhook endpoint of somebody whose access ends', () => {
  it.each([
    ['a recovery', 'account', recover],
    ['an admin', 'admin', endAccess],
  ])('is disabled by %s, and gets nothing that happens afterwards', async (path, actor, end) => {
    const account = await registerAndLogIn(api.client);
    const { id: accountId } = account;
    const url = `${receiver.url}/${path.replace(' ', '-')}`;
    const { id } = ok(
      await account.client.post('/webhook-endpoints', { url, types: ['user.*'], mode: 'ordered' }),
    ).data;
    const requested = ok(await account.client.post('/webhook-endpoints', { url, types: ['user.*'] })).data;
    ok(await account.client.post(`/webhook-endpoints/${requested.id}/disable`), 200);

    const period = { from: '2026-01-01', to: '2026-01-02' };
    const asked = ok(await account.client.post('/exports', { kind: 'transactions', ...period }), 202).data;
    const fileWith = async (from: TestClient) => (await from.get(`/exports/${asked.id}/file`)).status;
    await waitFor(async () => (await fileWith(account.client)) === 200);

    const client = api.client.as({ token: await end(account, accountId) });
    // The address of a file opens nothing by itself.
    expect([await fileWith(account.client), await fileWith(api.client), await fileWith(client)]).toEqual([
      401, 401, 200,
    ]);
    expect(ok(await client.get('/webhook-endpoints'), 200).data).toMatchObject([
      { id, state: 'disabled', disabled_reason: 'access-ended' },
      { id: requested.id, state: 'disabled', disabled_reason: 'requested' },
    ]);
    const [ended] = ok(await client.get('/account-events?type=access-ended'), 200).data;
    expect(ended).toMatchObject({ actor: { type: actor }, before: { sessions: 1, webhook_endpoints: [{ id, url }] } });
    const logged = ok(await client.get('/events?types=webhook.disabled'), 200).data;
    expect(logged.at(-1)).toMatchObject({
      actor: { kind: actor },
      webhook_endpoint: { id, disabled_reason: 'access-ended' },
    });

    ok(await client.post('/account/user', { name: 'vip', reference: 'vip' }));
    ok(await client.post(`/webhook-endpoints/${id}/enable`), 200);
    const own = () => receiver.received.filter((webhook) => url.endsWith(webhook.path));
    await waitFor(async () => own().length >= 2);
    // The owner's own test of the endpoint came before the event.
    expect(own().map(({ body }) => body.data.user?.name ?? body.type)).toEqual(['ping', 'vip']);
  });
});
