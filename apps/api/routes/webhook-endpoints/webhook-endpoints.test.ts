import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { Answer } from '#testing/client.js';
import { startTestApi } from '#testing/parts.js';
import { generateKeys, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import { answering, startWebhookReceiver, type WebhookReceiver } from '#tools/shared/webhook-receiver.js';

const api = withTestApi({ hasWorker: true, settings: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
let receiver: WebhookReceiver;
let business: TestBusiness;
/** The address of the endpoints of one test: those of earlier ones still get events. */
let url: string;
let tests = 0;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver?.close());

beforeEach(async () => {
  tests += 1;
  url = `${receiver.url}/${tests}`;
  receiver.received.length = 0;
  receiver.receive = answering(200);
  business = await openTestBusiness(api.client);
});

const create = async (more: object = {}) =>
  ok(await business.client.post('/webhook-endpoints', { url, types: ['user.*'], ...more })).data;
const read = async (id: number) => ok(await business.client.get(`/webhook-endpoints/${id}`), 200).data;
const post = (id: number, what: string, body?: object) =>
  business.client.post(`/webhook-endpoints/${id}/${what}`, body);
const own = () => receiver.received.filter(({ path }) => url.endsWith(path));
const names = () => own().map(({ body }) => body.data.user?.name ?? body.type);
const cameTo = (count: number) => waitFor(async () => own().length >= count);
const faultsOf = ({ status, body }: Answer) => [status, body.message];

describe('a webhook endpoint', () => {
  it('is made with a secret that is shown once, and gets what happens from then on', async () => {
    await business.user('before', 0);
    const { secret, ...shown } = await create({ description: 'mine' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({
      url,
      types: ['user.*'],
      mode: 'ordered',
      state: 'active',
      description: 'mine',
    });
    await business.user('ann', 0);
    await business.user('bob', 0);
    await cameTo(2);
    expect(names()).toEqual(['ann', 'bob']);
    const listed = ok(await business.client.get('/events?types=user.*'), 200).data.slice(1);
    for (const [place, { text, headers, body }] of own().entries()) {
      expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body);
      expect(body.data).toEqual(listed[place]);
    }
    const found = await waitFor(async () => {
      const now = await read(shown.id);
      return now.behind === 0 && now;
    });
    expect(found).toEqual({ ...shown, cursor: listed[1].cursor });
    const all = ok(await business.client.get('/webhook-endpoints'), 200);
    expect([all.total, all.data]).toEqual([1, [found]]);
    const attempts = ok(await business.client.get(`/webhook-endpoints/${shown.id}/attempts`), 200);
    expect(attempts.data.map(({ seq, status, error }: Record<string, unknown>) => [seq, status, error])).toEqual([
      [listed[1].seq, 200, null],
      [listed[0].seq, 200, null],
    ]);
    expect(JSON.stringify([all, attempts])).not.toContain('whsec_');
  });

  it('stores its secret in no readable form, anywhere', async () => {
    const { id, secret } = await create();
    const rotated = ok(await post(id, 'rotate-secret'), 200).data.secret;
    expect(rotated).not.toBe(secret);
    const rows = await api.database.query(
      'SELECT to_jsonb(e) AS row FROM webhook_endpoints e UNION ALL SELECT to_jsonb(s) FROM stored_answers s UNION ALL SELECT to_jsonb(g) FROM event_groups g',
    );
    const stored = `${JSON.stringify(rows)} ${await api.environment.dumpRedis()} ${api.environment.logLines.join('')}`;
    for (const each of [secret, rotated]) {
      const bytes = Buffer.from(each.slice(6), 'base64');
      for (const text of [each.slice(6), bytes.toString('base64url'), bytes.toString('hex')])
        expect(stored).not.toContain(text);
    }
    await expect(
      api.database.query('UPDATE webhook_endpoints SET secret_now = $1 WHERE id = $2', [secret, id]),
    ).rejects.toThrow('webhook_endpoints_secrets_encrypted');
  });

  it('is the doorbell where the types have events of bets', async () => {
    const modes = [];
    for (const types of [['*'], ['bet.*'], ['offer.made', 'user.*'], ['wager.*']])
      modes.push((await create({ types })).mode);
    expect(modes).toEqual(['doorbell', 'doorbell', 'doorbell', 'ordered']);
    await business.user('ann', 10);
    const ring = await waitFor(async () => own().find(({ body }) => body.type === 'events.available'));
    const { from, to } = ring.body.data;
    const { data, next } = ok(await business.client.get(`/events?after=${from}`), 200);
    expect(data.length).toBeGreaterThan(0);
    expect(to).toEqual(expect.any(String));
    expect(next).toEqual(expect.any(String));
  });

  it('is tested: the answer says the status and nothing else', async () => {
    const { id, secret } = await create();
    receiver.receive = (_webhook, response) =>
      void response.writeHead(418, { 'X-Secret': 'a' }).end('the answer of a stranger');
    const { data } = ok(await post(id, 'test'), 200);
    expect(data).toEqual({ status: 418, duration_ms: expect.any(Number), error: 'status' });
    const [{ text, headers, body }] = own() as [WebhookReceiver['received'][0]];
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body);
    expect(body).toMatchObject({ type: 'ping', data: { webhook_endpoint_id: id } });
    const [attempt] = ok(await business.client.get(`/webhook-endpoints/${id}/attempts`), 200).data;
    expect(attempt).toMatchObject({ seq: null, status: 418, error: 'status' });
  });

  it('is tested with both secrets after a rotation', async () => {
    const { id, secret } = await create();
    const rotated = ok(await post(id, 'rotate-secret'), 200).data.secret;
    ok(await post(id, 'test'), 200);
    const [{ text, headers, body }] = own() as [WebhookReceiver['received'][0]];
    for (const each of [secret, rotated])
      expect(new Webhook(each).verify(text, headers as Record<string, string>)).toEqual(body);
  });

  it('that is disabled goes on where it ended, after a test that it takes', async () => {
    const { id } = await create();
    receiver.receive = answering(410);
    await business.user('ann', 0);
    await waitFor(async () => (await read(id)).state === 'disabled');
    expect(await read(id)).toMatchObject({ disabled_reason: 'gone' });
    await business.user('bob', 0);
    const refused = await post(id, 'enable');
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        status: 400,
        error: 'The test of the webhook endpoint failed: it stays as it is',
        test_error: 'status',
        test_status: '410',
      },
    ]);
    expect(await read(id)).toMatchObject({ state: 'disabled', behind: expect.any(Number) });
    receiver.receive = answering(200);
    receiver.received.length = 0;
    const keyed = business.client.with({ 'Idempotency-Key': 'enable it' });
    const enabled = ok(await keyed.post(`/webhook-endpoints/${id}/enable`), 200).data;
    expect(enabled).toMatchObject({ state: 'active', disabled_reason: null });
    await cameTo(3);
    expect(names()).toEqual(['ping', 'ann', 'bob']);
    const again = await keyed.post(`/webhook-endpoints/${id}/enable`);
    expect([again.headers.get('idempotent-replayed'), own().length]).toEqual(['true', 3]);
    await api.mailTo(business.account, 'A webhook endpoint was disabled');
    const logged = ok(await business.client.get('/events?types=webhook.*'), 200).data;
    expect(logged.map(({ type, actor }: { type: string; actor: { kind: string } }) => `${type} ${actor.kind}`)).toEqual(
      ['webhook.created account', 'webhook.disabled worker', 'webhook.updated account'],
    );
    expect(logged[1].webhook_endpoint).toEqual({ id, disabled_reason: 'gone' });
  });

  it('is disabled by hand, once, and the log says by whom', async () => {
    const { id } = await create();
    const keyed = business.client.with({ 'Idempotency-Key': 'disable it' });
    const disabled = ok(await keyed.post(`/webhook-endpoints/${id}/disable`), 200).data;
    expect(disabled).toMatchObject({ id, state: 'disabled', disabled_reason: 'requested', failing_since: null });
    expect((await keyed.post(`/webhook-endpoints/${id}/disable`)).headers.get('idempotent-replayed')).toBe('true');
    expect(ok(await post(id, 'disable'), 200).data).toEqual(await read(id));
    expect((await read(id)).updated_at).toBe(disabled.updated_at);
    await business.user('ann', 0);
    ok(await post(id, 'enable'), 200);
    await cameTo(2);
    expect(names()).toEqual(['ping', 'ann']);
    const logged = ok(await business.client.get('/events?types=webhook.disabled'), 200).data;
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({
      actor: { kind: 'account' },
      webhook_endpoint: { id, disabled_reason: 'requested' },
    });
    // The reason of a failure stays.
    receiver.receive = answering(410);
    await business.user('bob', 0);
    await waitFor(async () => (await read(id)).state === 'disabled');
    expect(ok(await post(id, 'disable'), 200).data.disabled_reason).toBe('gone');
  });

  it('goes back and forward in the log', async () => {
    await business.user('ann', 0);
    await business.user('bob', 0);
    const [first] = ok(await business.client.get('/events?types=user.*'), 200).data;
    const { id } = await create();
    ok(await post(id, 'replay', { after: first.cursor }), 200);
    await cameTo(1);
    expect(names()).toEqual(['bob']);
    ok(await post(id, 'replay', { after: null }), 200);
    await cameTo(3);
    expect(names()).toEqual(['bob', 'ann', 'bob']);
    const stranger = await openTestBusiness(api.client);
    const { head } = ok(await stranger.client.get('/events'), 200);
    for (const after of ['', 'x', head]) {
      expect(faultsOf(await post(id, 'replay', { after }))).toEqual([400, ['after must be a cursor']]);
    }
    expect(faultsOf(await post(id, 'replay', {}))).toEqual([400, ['after should not be empty']]);
  });

  it('is changed, and deleted', async () => {
    const { id } = await create();
    const changes = { types: ['wager.*', 'account.updated'], mode: 'keyed', description: null };
    const changed = ok(await business.client.patch(`/webhook-endpoints/${id}`, changes), 200).data;
    expect(changed).toMatchObject({ ...changes, url });
    ok(await business.client.delete(`/webhook-endpoints/${id}`), 200);
    expect((await business.client.get(`/webhook-endpoints/${id}`)).status).toBe(404);
  });

  it.each([
    [{}, ['url should not be empty', 'types should not be empty']],
    [
      { url: 'ftp://a:b@c/#d', types: ['bet.won', 'user.*'], mode: 'fast', secret: 'x' },
      [
        'types[0] must name types of events: bet.won is none',
        'mode must be one of the following values: ordered, keyed, doorbell',
        'property secret should not exist',
        'url must begin with https://',
        'url must not name a user or a password',
        'url must not have a fragment',
      ],
    ],
    [
      { url: `https://example.com/${'x'.repeat(2_029)}`, types: [] },
      ['url must be shorter than or equal to 2048 characters', 'types should not be empty'],
    ],
    [
      { url: 'https://example.com', types: [{ toString: 1 }, { length: 1, trim: 1 }, ['*'], null, 'toString'] },
      [
        'types[0] must be a string',
        'types[1] must be a string',
        'types[2] must be a string',
        'types[3] should not be empty',
        'types[4] must name types of events: toString is none',
      ],
    ],
    [{ url: 'http://example.com:25', types: ['*'] }, ['url must have the port 443 or 8443']],
  ])('is refused when malformed, with all faults at once: %j', async (body, message) => {
    const answer = await business.client.post('/webhook-endpoints', body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    expect(ok(await business.client.get('/webhook-endpoints'), 200).total).toBe(0);
  });

  it('is one of ten at most, however many are made at once', async () => {
    const body = { url, types: ['wager.*'] };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => business.client.post('/webhook-endpoints', body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 409, 409]);
    const error = 'An account may have at most 10 webhook endpoints: delete one first';
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({ status: 409, error });
  });

  it('of another account does not exist, except for admins, who may look', async () => {
    const { id } = await create();
    const stranger = await openTestBusiness(api.client);
    const calls = [
      ['GET', ''],
      ['GET', '/attempts'],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['POST', '/enable'],
      ['POST', '/disable'],
      ['POST', '/replay'],
    ] as const;
    for (const [method, end] of calls) {
      const body = method === 'PATCH' ? { mode: 'keyed' } : end === '/replay' ? { after: null } : undefined;
      const options = body === undefined ? {} : { body };
      const theirs = await stranger.client.call(method, `/webhook-endpoints/${id}${end}`, options);
      const missing = await stranger.client.call(method, `/webhook-endpoints/999999${end}`, options);
      expect([end, theirs.status, theirs.body]).toEqual([
        end,
        404,
        { status: 404, error: 'Webhook endpoint not found' },
      ]);
      expect(missing.body).toEqual(theirs.body);
    }
    const account = business.account.id;
    const admin = await registerAdmin(api.client, api.database);
    const path = `/webhook-endpoints?account_id=${account}`;
    expect(ok(await admin.client.get(path), 200).data).toHaveLength(1);
    expect(ok(await stranger.client.get(path), 200).data).toHaveLength(0);
    expect(own()).toEqual([]);
  });

  it('is made with an API key as well, and named in the log with it', async () => {
    const { base64 } = await generateKeys(business.account);
    ok(await api.client.as({ base64 }).post('/webhook-endpoints', { url, types: ['wager.*'] }));
    const [{ actor }] = ok(await business.client.get('/events?types=webhook.created'), 200).data;
    expect(actor.kind).toBe('key');
  });
});

describe('a service', () => {
  it('without a key has no webhooks, and says so', async () => {
    const without = await startTestApi(api.environment, { WEBHOOK_KEY: '' });
    try {
      const client = without.client.as({ token: business.account.token });
      const body = { url: 'https://example.com/', types: ['*'] };
      expect(await client.post('/webhook-endpoints', body)).toMatchObject({
        status: 503,
        body: { status: 503, error: 'Webhooks are not set up on this service' },
      });
      expect(ok(await client.get('/webhook-endpoints'), 200).data).toEqual([]);
      // Without the setting for development, private addresses are refused.
      expect(faultsOf(await client.post('/webhook-endpoints', { ...body, url: 'http://10.0.0.1/' }))).toEqual([
        400,
        ['url must begin with https://', 'url must have a name and not an IP address'],
      ]);
    } finally {
      await without.close();
    }
  });
});
