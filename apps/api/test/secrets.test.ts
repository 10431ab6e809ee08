import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type Credential, inventAccount, TestClient } from '#testing/client.js';
import { logInAtConsole, postSession } from '#testing/console-session.js';
import { codeIn, linkTokenIn, mailsInFolder, waitForMail } from '#testing/mails.js';
import { startTestApi, startTestDashboard, startTestWorker, type TestPart } from '#testing/parts.js';
import { INVITED, inventPerson, invitationTokenIn } from '#testing/people.js';
import { addFactor } from '#testing/second-factor.js';
import { acceptance, offer, ok } from '#testing/test-business.js';
import { withTestEnvironment } from '#testing/with-environment.js';

// Calls every route that takes or gives a secret, with an Idempotency-Key on each request, and then searches the database,
// Redis, the logs, the metrics and the answers for each secret. apps/worker/test/mail.test.ts covers what a mail server says
// about a mail; access-log.test.ts covers logins and tokens that are wrong or broken.

const METRICS_TOKEN = 'metrics-token-of-this-test';
const FORGOT = '/auth/account/forgot-password';
const CREATE = '/auth/account/create-password-for-forgot-password';
const RESET = '/auth/account/reset-password';

const environment = withTestEnvironment(async () => {
  await dashboard?.close();
  await worker?.close();
  await api?.close();
});
let api: TestPart;
let worker: { close(): Promise<void> };
let dashboard: TestPart;

beforeAll(async () => {
  api = await startTestApi(environment, { METRICS_TOKEN });
  worker = await startTestWorker(environment);
  dashboard = await startTestDashboard(environment, { METRICS_TOKEN, API_URL: api.client.baseUrl });
});

/** Records every answer. */
class Walker extends TestClient {
  readonly #answers: string[];

  constructor(baseUrl: string, answers: string[], credential?: Credential) {
    super(baseUrl, credential);
    this.#answers = answers;
  }

  override as(credential: Credential): Walker {
    return new Walker(this.baseUrl, this.#answers, credential);
  }

  override async call(...[method, path, options]: Parameters<TestClient['call']>): Promise<Answer> {
    const headers = { 'Idempotency-Key': `request ${this.#answers.length}`, ...options?.headers };
    const answer = await super.call(method, path, { ...options, headers });
    this.#answers.push(JSON.stringify([answer.status, [...answer.headers], answer.body]));
    return answer;
  }
}

type Secrets = Record<string, string>;

const mailed = (to: string, subject: string, count = 1) =>
  waitForMail(() => mailsInFolder(`${environment.folder}/mail`), { to, subject, count });

async function walkThroughKeys(client: Walker): Promise<Secrets> {
  const { api_key, api_secret, base64_encoded } = ok(await client.post('/auth/account/generate-keys')).data;
  ok(await client.as({ base64: base64_encoded }).get('/account/user'), 200);
  expect((await client.as({ base64: btoa(`${api_key}:${api_secret}x`) }).get('/account/user')).status).toBe(401);
  const named = ok(await client.post('/auth/account/api-keys', { name: 'second' })).data;
  ok(await client.as({ base64: named.base64_encoded }).get('/account/user'), 200);
  return { apiKey: api_key, apiSecret: api_secret, base64: base64_encoded, secondSecret: named.api_secret };
}

async function walkThroughBets(client: Walker, token: string): Promise<void> {
  for (const reference of ['ann', 'bob']) {
    ok(await client.post('/account/user', { name: reference, reference }));
    ok(await client.post('/transactions/fund-user', { user_reference: reference, amount: 100 }));
  }
  ok(await client.post('/bets/make-offer', offer('ann', 10)));
  ok(await client.post('/bets/accept-offer', acceptance('bob', 10)));
  ok(await client.post('/bets/update-wager-outcome', { reference: 'match', outcome: 'win' }));
  // A secret in the wrong place.
  expect(
    (await client.post('/bets/make-offer', { ...offer('ann', 1), token, authorization: `Bearer ${token}` })).status,
  ).toBe(400);
  expect((await client.as(undefined).get(`/auth/account/me?token=${token}&access_token=${token}`)).status).toBe(401);
}

async function walkThroughInvitation(client: Walker): Promise<Secrets> {
  const person = inventPerson();
  ok(await client.post('/operators', person));
  const invitation = invitationTokenIn(await mailed(person.email, INVITED));
  const invited = 'an invited horse';
  ok(await client.as(undefined).post('/operators/accept-invitation', { token: invitation, password: invited }), 200);
  const again = await client
    .as(undefined)
    .post('/operators/accept-invitation', { token: invitation, password: invited });
  expect(again.status).toBe(400);
  return { invitation, invited };
}

async function walkThroughSecondFactor(client: Walker, email: string, password: string): Promise<Secrets> {
  const { secret: factor, recoveryCodes } = await addFactor(client, { password });
  const [recovery = '', left = ''] = recoveryCodes;
  const confirm = (code: string) => client.post('/auth/account/confirm', { password, code });
  expect((await confirm(left.slice(1))).status).toBe(400);
  ok(await confirm(recovery), 200);
  expect((await confirm(recovery)).status).toBe(400);
  await mailed(email, 'A second factor was added');
  return { factor, recovery, left };
}

async function walkThroughPasswords(client: Walker, email: string, password: string): Promise<Secrets> {
  const secrets = { changed: 'a changed horse', forgotten: 'a forgotten horse', guessed: 'a guessed horse' };
  const change = (given: string, to: string, again = to) =>
    client.post(RESET, { password: given, new_password: to, password_confirmation: again });
  expect((await change(secrets.guessed, secrets.changed)).status).toBe(400);
  expect((await change(password, secrets.changed, secrets.guessed)).status).toBe(400);
  ok(await change(password, secrets.changed), 200);
  await mailed(email, 'Your password was changed');

  ok(await client.post(FORGOT, { email }), 200);
  const code = codeIn(await mailed(email, 'Your password reset code'));
  const create = (token: string, more: object = {}) =>
    client.post(CREATE, {
      email,
      token,
      password: secrets.forgotten,
      password_confirmation: secrets.forgotten,
      ...more,
    });
  expect((await create('00000000')).status).toBe(400);
  expect((await create(code, { unknown: code })).status).toBe(400);
  // The address is proved, so the keys may stay, and their rows are looked at, too.
  ok(await create(code, { end_access: false }), 200);
  expect((await create(code)).status).toBe(400);
  await mailed(email, 'Your password was changed', 2);
  return { ...secrets, code };
}

/** Every secret that the walk has met, by name. */
async function walk(visitor: Walker): Promise<Secrets> {
  const { name, email, password } = inventAccount();
  ok(await visitor.post('/auth/register/account', { name, email, password }));
  expect((await visitor.post('/auth/register/account', { name, email, password })).status).toBe(409);
  expect((await visitor.post('/auth/register/account', `{"email":"${email}","password":"${password}`)).status).toBe(
    400,
  );
  const logIn = async (given: string) => visitor.post('/auth/login/account', { email, password: given });
  const { token } = ok(await logIn(password), 200).data;
  const client = visitor.as({ token });

  const link = linkTokenIn(await mailed(email, 'Confirm your e-mail address'));
  ok(await visitor.get(`/auth/account/verify-email?token=${link}`), 200);
  expect((await visitor.get(`/auth/account/verify-email?token=${link}`)).status).toBe(400);
  const confirm = (given: string) => visitor.post('/auth/account/confirm-email', { token: link, password: given });
  expect((await confirm('a guessed horse')).status).toBe(400);
  ok(await confirm(password), 200);
  expect((await confirm(password)).status).toBe(400);

  const factor = await walkThroughSecondFactor(client, email, password);
  const remove = { body: { password, code: factor.left } };
  const keys = await walkThroughKeys(client);
  ok(await client.delete('/auth/account/second-factor', remove), 200);
  await walkThroughBets(client, token);
  const invitation = await walkThroughInvitation(client);
  const passwords = await walkThroughPasswords(client, email, password);
  expect((await logIn(passwords.guessed ?? '')).status).toBe(401);
  const laterToken = ok(await logIn(passwords.forgotten ?? ''), 200).data.token;
  const owner = { email, password: passwords.forgotten ?? '' };
  expect((await postSession(dashboard.client, { email, password })).status).toBe(401);
  const { Cookie = '' } = (await logInAtConsole(dashboard.client, owner)).headers;
  const [, session = ''] = Cookie.split('=');
  ok(await visitor.as({ token: laterToken }).post('/auth/logout/account?logout_all=true'), 200);
  return {
    password,
    token,
    link,
    ...keys,
    ...factor,
    ...invitation,
    ...passwords,
    laterToken,
    session,
    metricsToken: METRICS_TOKEN,
  };
}

async function everyRow(): Promise<string> {
  const tables = await environment.database.query(
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const rows = await Promise.all(tables.map(({ name }) => environment.database.query(`SELECT * FROM ${name}`)));
  return JSON.stringify(rows);
}

async function everyMetric(): Promise<string> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const pages = await Promise.all([api, dashboard].map(({ client }) => client.get('/metrics', { headers })));
  return pages.map((page) => String(ok(page, 200))).join('');
}

describe('secrets', () => {
  it('stand nowhere but in the one answer or mail that hands them out', async () => {
    const answers: string[] = [];
    const secrets = await walk(new Walker(api.client.baseUrl, answers));
    const stored = await environment.database.query('SELECT count(*)::int AS answers FROM stored_answers');
    expect(stored[0]?.answers).toBeGreaterThan(5);

    const handedOut = {
      factor: 1,
      recovery: 1,
      left: 1,
      token: 1,
      apiKey: 1,
      apiSecret: 1,
      base64: 1,
      secondSecret: 1,
      laterToken: 1,
    };
    const places = {
      logs: environment.logLines.join(''),
      redis: await environment.dumpRedis(),
      rows: await everyRow(),
      metrics: await everyMetric(),
    };
    for (const text of Object.values(places)) expect(text.length).toBeGreaterThan(1_000);
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length).toBeGreaterThanOrEqual(8);
      const found = Object.entries(places).flatMap(([place, text]) => (text.includes(secret) ? [place] : []));
      // An API key is a name, not a secret; its secret proves it.
      expect({ [name]: found }).toEqual({ [name]: name === 'apiKey' ? ['rows'] : [] });
      const holding = answers.filter((answer) => answer.includes(secret));
      expect({ [name]: holding.length }).toEqual({ [name]: handedOut[name as keyof typeof handedOut] ?? 0 });
    }
  });

  it('have no column but that of their hash', async () => {
    const columns = await environment.database.query(
      `SELECT table_name || '.' || column_name AS name, data_type AS type FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name ~ 'password|secret|token|code|hash'
          AND column_name NOT IN ('code', 'error_code') -- of refusals
        ORDER BY 1`,
    );
    expect(columns).toEqual([
      { name: 'access_tokens.token_hash', type: 'bytea' },
      { name: 'api_keys.secret_hash', type: 'bytea' },
      { name: 'operators.invitation_hash', type: 'bytea' },
      { name: 'operators.password_hash', type: 'text' },
      { name: 'operators.recovery_hashes', type: 'ARRAY' },
      // A code by time needs the secret itself: it is encrypted, by a CHECK as well.
      { name: 'operators.second_factor_secret', type: 'text' },
      { name: 'reset_codes.code_hash', type: 'text' },
      { name: 'stored_answers.request_hash', type: 'text' },
      { name: 'verification_tokens.token_hash', type: 'bytea' },
      // A signature needs the secret itself: these are encrypted, by a CHECK as well.
      { name: 'webhook_endpoints.secret_before', type: 'text' },
      { name: 'webhook_endpoints.secret_before_until', type: 'timestamp with time zone' },
      { name: 'webhook_endpoints.secret_now', type: 'text' },
    ]);
    const [row] = await environment.database.query('SELECT min(password_hash) AS hash FROM operators');
    expect(row?.hash).toMatch(/^\$2[aby]\$\d\d\$/);
  });
});
