import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type LoggedIn, logIn, registerAndLogIn, type TestClient } from '#testing/client.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { createQuickAccount } from '#testing/quick-accounts.js';
import { addFactor, ageProof, factorCodeOf, forgetUsedCodes } from '#testing/second-factor.js';
import { generateKeys, ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import type { Endpoint } from '../endpoint.js';
import { namedEndpoints } from '../endpoints.js';

const api = withTestApi({ processes: 2, settings: { RATE_LIMITS: 'off' } });
const REQUIRED = { status: 403, error: 'Second factor required' };
const PREFERENCES = '/auth/account/preferences';

const isRequired = ({ headers }: Answer) => headers.get('ledger-error') === 'second-factor-required';
const endpoints = Object.entries<Endpoint>(namedEndpoints);
/** What an operator needs to add one, and to leave. */
const ALLOWED = /^(accountMe|operatorMe|accountLogout|accountConfirm|accountSecondFactor(Read|Add|Confirm))$/;

/** Without what a request needs. */
const callEmpty = (client: TestClient, { method, path, body, stream }: Endpoint): Promise<Answer> =>
  client.call(method.toUpperCase(), path.replaceAll(/:\w+/g, '999999999'), {
    ...(body && { body: {} }),
    ...(stream && { headers: { Accept: 'application/json' } }),
  });

/** Another operator of the account, with the same password. */
async function colleagueOf(owner: LoggedIn): Promise<LoggedIn> {
  const email = `colleague-${owner.email}`;
  await api.database.query(
    `INSERT INTO operators (account_id, name, email, role, password_hash)
     SELECT account_id, 'Colleague', $2, 'owner', password_hash FROM operators WHERE email = $1`,
    [owner.email, email],
  );
  const token = await logIn(api.client, { ...owner, email });
  return { ...owner, email, token, client: api.client.as({ token }) };
}

describe('an account that asks for a second factor', () => {
  it('is asked to by an owner who has one, and not to with a fresh proof', async () => {
    const owner = await registerAndLogIn(api.client);
    const ask = (given: boolean, more = {}) =>
      owner.client.patch(PREFERENCES, { require_second_factor: given, ...more });
    expect(await ask(true)).toMatchObject({ status: 400, body: { error: 'Add a second factor of your own first' } });
    expect(ok(await owner.client.get(PREFERENCES), 200).data.require_second_factor).toBeUndefined();
    const { secret } = await addFactor(owner.client, owner);
    expect(ok(await ask(true), 200).data.require_second_factor).toBe(true);
    await ageProof(api.database, owner.token, '16 minutes');
    await waitFor(async () => (await ask(false)).status === 403);
    expect(ok(await owner.client.get(PREFERENCES), 200).data.require_second_factor).toBe(true);
    ok(await ask(true), 200);
    const { password } = owner;
    expect((await ask(false, { password })).status).toBe(403);
    await forgetUsedCodes(api.database, owner);
    ok(await owner.client.post('/auth/account/confirm', { password, code: factorCodeOf(secret) }), 200);
    expect(ok(await ask(false, { password }), 200).data.require_second_factor).toBe(false);
  });

  it('lets who has none add one, and nothing else; keys go on', async () => {
    const owner = await registerAndLogIn(api.client);
    const colleague = await colleagueOf(owner);
    const key = api.client.as({ base64: (await generateKeys(colleague)).base64 });
    await addFactor(owner.client, owner);
    ok(await owner.client.patch(PREFERENCES, { require_second_factor: true }), 200);
    // It logs in still.
    const client = api.client.as({ token: await logIn(api.client, colleague) });
    for (const [name, endpoint] of endpoints) {
      if (endpoint.access === 'public' || name === 'accountLogout') continue;
      const answer = await callEmpty(client, endpoint);
      expect([name, isRequired(answer)]).toEqual([name, !ALLOWED.test(name)]);
      if (isRequired(answer)) expect([answer.status, answer.body]).toEqual([403, REQUIRED]);
      expect([name, isRequired(await callEmpty(key, endpoint))]).toEqual([name, false]);
    }
    for (const process of api.clients) {
      expect(isRequired(await process.as({ token: colleague.token }).get('/account/user'))).toBe(true);
    }
    await addFactor(client, colleague);
    for (const process of api.clients) ok(await process.as({ token: colleague.token }).get('/account/user'), 200);
    ok(await client.post('/auth/logout/account'), 200);
  });
});

describe('an admin in production', () => {
  let production: TestPart;
  let admin: LoggedIn;
  let key: TestClient;
  let other: number;

  beforeAll(async () => {
    const settings = { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:9', APP_URL: 'https://ledger.test' };
    production = await startTestApi(api.environment, { ...settings, METRICS_TOKEN: 'a token of this test' });
    admin = await registerAndLogIn(api.client);
    await api.database.query(`UPDATE accounts SET role = 'admin' WHERE email = $1`, [admin.email]);
    key = production.client.as({ base64: (await generateKeys(admin)).base64 });
    const tenant = await createQuickAccount(api.database);
    other = tenant.id;
    const client = api.client.as({ token: tenant.token });
    ok(await client.put('/wagers/w', { closes_at: '2099-01-15T18:00:00Z' }), 200);
  });

  const adminRoutes = endpoints.filter(([, { access }]) => access === 'admin');
  const wagers = () => `/wagers?account_ids=${other}`;

  it('has the rights of an admin only with a second factor, by session and by key', async () => {
    const session = production.client.as({ token: admin.token });
    const operation = { type: 'force_update_outcome', account_id: other, wager_reference: 'w', outcome: 'win' };
    const seenBy = async (client: TestClient) => {
      const refused = [];
      for (const [, endpoint] of adminRoutes) refused.push(isRequired(await callEmpty(client, endpoint)));
      const { total } = ok(await client.get(wagers()), 200);
      return {
        refused: [...new Set(refused)],
        total,
        preview: isRequired(await client.post('/previews', { operation })),
      };
    };
    for (const client of [session, key]) {
      expect(await seenBy(client)).toEqual({ refused: [true], total: 0, preview: true });
      expect((await client.get('/admin/accounts')).body).toEqual(REQUIRED);
      ok(await client.get('/account/user'), 200);
    }
    // Elsewhere the same admin has its rights.
    ok(await api.client.as({ token: admin.token }).get('/admin/accounts'), 200);
    await addFactor(session, admin);
    for (const client of [session, key]) {
      expect(await seenBy(client)).toEqual({ refused: [false], total: 1, preview: false });
      ok(await client.get('/admin/accounts'), 200);
    }
    await production.close();
  });
});

describe('a service that asks everybody for a second factor', () => {
  it('lets who has none add one, and nothing else; keys go on', async () => {
    const strict = await startTestApi(api.environment, { RATE_LIMITS: 'off', REQUIRE_SECOND_FACTOR: 'all' });
    try {
      const owner = await registerAndLogIn(api.client);
      const keys = await generateKeys(owner);
      const client = strict.client.as({ token: owner.token });
      expect(await client.get('/account/user')).toMatchObject({ status: 403, body: REQUIRED });
      ok(await strict.client.as({ base64: keys.base64 }).get('/account/user'), 200);
      await addFactor(client, owner);
      ok(await client.get('/account/user'), 200);
    } finally {
      await strict.close();
    }
  });
});
