import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type LoggedIn, logIn, registerAndLogIn, type TestClient } from '#testing/client.js';
import { createPerson, inventPerson } from '#testing/people.js';
import { addFactor, ageProof, factorCodeOf, forgetUsedCodes, giveFactor } from '#testing/second-factor.js';
import { generateKeys, ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import type { Endpoint } from '../endpoint.js';
import { namedEndpoints } from '../endpoints.js';
import type { EndpointName } from '../roles.js';

const api = withTestApi({ processes: 2, settings: { ALLOW_PRIVATE_WEBHOOKS: 'true', RATE_LIMITS: 'off' } });
const STALE = { status: 403, error: 'Confirm your password' };
const CONFIRM = '/auth/account/confirm';
/** Nothing listens there. */
const url = 'http://127.0.0.1:9/';
const hook = { url, types: ['wager.*'] };

const isStale = ({ headers }: Answer) => headers.get('ledger-error') === 'proof-stale';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: Record<string, unknown>;
  /** Whether its body has a field for the password. */
  readonly takesPassword?: boolean;
}

let account: LoggedIn;
let webhook: number;
let names = 0;

const callOf = async (name: string, hookId = webhook): Promise<Call> => {
  names += 1;
  switch (name) {
    case 'accountApiKeyCreate':
      return { method: 'POST', path: '/auth/account/api-keys', body: { name: `key ${names}` }, takesPassword: true };
    case 'webhookEndpointCreate':
      return { method: 'POST', path: '/webhook-endpoints', body: hook, takesPassword: true };
    case 'webhookEndpointUpdate': {
      const body = { url: `${url}${names}` };
      return { method: 'PATCH', path: `/webhook-endpoints/${hookId}`, body, takesPassword: true };
    }
    case 'webhookEndpointRotateSecret':
      return { method: 'POST', path: `/webhook-endpoints/${hookId}/rotate-secret`, body: {}, takesPassword: true };
    case 'accountPreferencesUpdate': {
      const body = { require_second_factor: false };
      return { method: 'PATCH', path: '/auth/account/preferences', body, takesPassword: true };
    }
    case 'operatorInvite':
      return { method: 'POST', path: '/operators', body: inventPerson() };
    case 'operatorUpdate':
    case 'operatorDelete': {
      const { id } = await createPerson(api.database, Number(account.token.split('.')[0]), 'viewer');
      return name === 'operatorDelete'
        ? { method: 'DELETE', path: `/operators/${id}` }
        : { method: 'PATCH', path: `/operators/${id}`, body: { role: 'trader' } };
    }
    case 'operatorSecondFactorRemove': {
      const { id } = await createPerson(api.database, Number(account.token.split('.')[0]), 'viewer');
      await giveFactor(api.database, id);
      return { method: 'DELETE', path: `/operators/${id}/second-factor` };
    }
    case 'operatorInviteAgain': {
      const { id } = ok(await account.client.post('/operators', inventPerson())).data;
      return { method: 'POST', path: `/operators/${id}/invite` };
    }
    case 'accountSessionEnd': {
      await logIn(api.client, account);
      const { data } = ok(await account.client.get('/auth/account/sessions'), 200);
      return { method: 'DELETE', path: `/auth/account/sessions/${data[0].id}` };
    }
    default:
      throw new Error(`${name} needs a fresh proof: say here how it is called`);
  }
};

/** The second factor's own take the password always; only its confirmation does not. */
const OWN: readonly EndpointName[] = [
  'accountSecondFactorAdd',
  'accountSecondFactorConfirm',
  'accountSecondFactorRemove',
];
const proving = Object.entries<Endpoint>(namedEndpoints)
  .filter(([name, { freshProof }]) => freshProof !== undefined && !OWN.includes(name as EndpointName))
  .map(([name]) => name);

const send = (client: TestClient, { method, path, body }: Call, more: object = {}): Promise<Answer> =>
  client.call(method, path, body === undefined ? {} : { body: { ...body, ...more } });

const clientsOf = ({ token }: LoggedIn) => api.clients.map((client) => client.as({ token }));

/** Both processes have heard of it. */
async function age(who: LoggedIn, ago = '15 minutes 1 second'): Promise<void> {
  await ageProof(api.database, who.token, ago);
  for (const client of clientsOf(who)) {
    await waitFor(async () => isStale(await client.delete('/auth/account/sessions/999999999')));
  }
}

const digest = async (): Promise<unknown> =>
  api.database.query(
    `SELECT (SELECT count(*) FROM api_keys) AS keys, (SELECT count(*) FROM access_tokens) AS tokens,
            (SELECT jsonb_agg(jsonb_build_array(role, state, invitation_hash) ORDER BY id) FROM operators) AS people,
            (SELECT jsonb_agg(jsonb_build_array(url, secret_now) ORDER BY id) FROM webhook_endpoints) AS hooks,
            (SELECT jsonb_agg(preferences ORDER BY id) FROM accounts) AS preferences`,
  );

beforeAll(async () => {
  account = await registerAndLogIn(api.client);
  webhook = ok(await account.client.post('/webhook-endpoints', hook)).data.id;
});

describe('a session whose proof is old', () => {
  it.each(proving)('is refused, and nothing changes: %s', async (name) => {
    const call = await callOf(name);
    await age(account);
    const before = await digest();
    for (const client of clientsOf(account)) {
      const answer = await send(client, call);
      expect([answer.status, answer.body]).toEqual([403, STALE]);
    }
    expect(await digest()).toEqual(before);
    if (call.takesPassword) {
      const wrong = await send(account.client, call, { password: 'something else' });
      expect([wrong.status, wrong.body.error]).toEqual([400, 'Current password is incorrect']);
      expect(await digest()).toEqual(before);
      expect((await send(account.client, call, { password: account.password })).status).toBeLessThan(300);
    }
    ok(await account.client.post(CONFIRM, { password: account.password }), 200);
    const [, elsewhere] = clientsOf(account) as [TestClient, TestClient];
    expect((await send(elsewhere, await callOf(name))).status).toBeLessThan(300);
  });

  it('is not proved by the password alone of who has a second factor', async () => {
    const other = await registerAndLogIn(api.client);
    const { id } = ok(await other.client.post('/webhook-endpoints', hook)).data;
    ok(await other.client.post('/auth/account/api-keys', { name: 'guarded' }));
    const { secret } = await addFactor(other.client, other);
    await forgetUsedCodes(api.database, other);
    const calls: [name: string, call: Call][] = [];
    for (const name of proving) calls.push([name, await callOf(name, id)]);
    await age(other);
    const before = await digest();
    for (const [name, call] of calls.filter(([, { takesPassword }]) => takesPassword)) {
      expect([name, (await send(other.client, call, { password: other.password })).body]).toEqual([name, STALE]);
    }
    expect(await digest()).toEqual(before);
    const { password } = other;
    ok(await other.client.post(CONFIRM, { password, code: factorCodeOf(secret) }), 200);
    ok(await other.client.post('/auth/account/api-keys', { name: 'confirmed', password }));
    await forgetUsedCodes(api.database, other);
    await age(other);
    const removal = { body: { password, code: factorCodeOf(secret) } };
    ok(await other.client.call('DELETE', '/auth/account/second-factor', removal), 200);
  });

  it('adds no second factor that was begun before, and begins one with the password', async () => {
    const { client, password, ...rest } = await registerAndLogIn(api.client);
    ok(await client.post('/auth/account/second-factor', { password }));
    await age({ ...rest, client, password });
    const confirm = (secret: string) =>
      client.post('/auth/account/second-factor/confirm', { code: factorCodeOf(secret) });
    expect((await confirm('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')).body).toEqual(STALE);
    // The password that begins it renews the proof.
    const { secret } = ok(await client.post('/auth/account/second-factor', { password })).data;
    ok(await confirm(secret), 200);
  });

  it('does all else: the contract, reads, and what ends its own access', async () => {
    const other = await registerAndLogIn(api.client);
    await age(other);
    const { client } = other;
    ok(await client.post('/auth/account/generate-keys'));
    ok(await client.get('/auth/account/sessions'), 200);
    ok(await client.patch('/auth/account/preferences', { confirm_keys: true }), 200);
    ok(await client.post('/account/user', { name: 'Ann', reference: 'ann' }));
    ok(await client.post('/auth/logout/account?logout_all=true'), 200);
  });

  it('changes of a webhook endpoint all but the address', async () => {
    await age(account);
    const path = `/webhook-endpoints/${webhook}`;
    ok(await account.client.patch(path, { description: 'ours', types: ['wager.*', 'account.updated'] }), 200);
    expect((await account.client.patch(path, { description: 'theirs', url })).body).toEqual(STALE);
  });
});

describe('a proof', () => {
  it('lives 15 minutes, in every process', async () => {
    const other = await registerAndLogIn(api.client);
    await age(other);
    await ageProof(api.database, other.token, '14 minutes 30 seconds');
    for (const client of clientsOf(other)) {
      const make = async () => (await client.post('/auth/account/api-keys', { name: `of ${client.baseUrl}` })).status;
      await waitFor(async () => (await make()) === 201);
    }
  });

  it('is the log-in: another session of the same person has its own', async () => {
    const other = await registerAndLogIn(api.client);
    await age(other);
    const fresh = api.client.as({ token: await logIn(api.client, other) });
    ok(await fresh.post('/auth/account/api-keys', { name: 'fresh' }));
    await age(other);
    ok(await other.client.post(CONFIRM, { password: other.password }), 200);
    ok(await other.client.post('/auth/account/api-keys', { name: 'confirmed' }));
  });

  it('takes a right password, and the code of who has a second factor', async () => {
    const other = await registerAndLogIn(api.client);
    const { client, password } = other;
    const { secret } = await addFactor(client, other);
    await forgetUsedCodes(api.database, other);
    await age(other);
    const refused = [
      [await client.post(CONFIRM, { password: 'something else' }), 400, 'Current password is incorrect'],
      [
        await client.post(CONFIRM, { password: 'something else', code: factorCodeOf(secret) }),
        400,
        'Current password is incorrect',
      ],
      [await client.post(CONFIRM, { password }), 403, 'Second factor required'],
      [await client.post(CONFIRM, { password, code: 'a word' }), 400, 'The code is incorrect'],
    ] as const;
    for (const [{ status, body }, ...expected] of refused) expect([status, body.error]).toEqual(expected);
    expect((await client.post('/auth/account/api-keys', { name: 'too early' })).body).toEqual(STALE);
    ok(await client.post(CONFIRM, { password, code: factorCodeOf(secret) }), 200);
    ok(await client.post('/auth/account/api-keys', { name: 'in time' }));
  });

  it('is nothing that an API key needs, or can give', async () => {
    const key = api.client.as({ base64: (await generateKeys(account)).base64 });
    await age(account);
    const made = ok(await key.post('/webhook-endpoints', hook)).data;
    ok(await key.patch(`/webhook-endpoints/${made.id}`, { url: `${url}key` }), 200);
    ok(await key.post(`/webhook-endpoints/${made.id}/rotate-secret`, {}), 200);
    expect((await key.post(CONFIRM, { password: account.password })).status).toBe(401);
  });
});
