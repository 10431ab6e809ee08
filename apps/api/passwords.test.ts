import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  inventAccount,
  logIn,
  register,
  registerAndLogIn,
  type TestAccount,
  type TestClient,
} from '#testing/client.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { codeIn, linkTokenIn, mailsInFolder, waitForMail } from '#testing/mails.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';

// Mails are files here; apps/worker has the tests against an SMTP server.

const VERIFY = 'Confirm your e-mail address';
const RESET = 'Your password reset code';
const CHANGED = 'Your password was changed';
const ME = '/auth/account/me';
const FORGOT = '/auth/account/forgot-password';
const CREATE = '/auth/account/create-password-for-forgot-password';
const INVALID_CODE = { status: 400, error: 'Invalid or expired reset token' };

let environment: TestEnvironment;
let api: TestPart;
let worker: { close(): Promise<void> };
let client: TestClient;

beforeAll(async () => {
  environment = await createTestEnvironment();
  api = await startTestApi(environment);
  worker = await startTestWorker(environment);
  client = api.client;
});

afterAll(async () => {
  await worker?.close();
  await api?.close();
  await environment?.close();
});

const mails = () => mailsInFolder(`${environment.folder}/mail`);
const mailTo = ({ email }: TestAccount, subject: string, count = 1) =>
  waitForMail(mails, { to: email, subject, count });

async function forgotten(account: TestAccount, count = 1): Promise<string> {
  const answer = await client.post(FORGOT, { email: account.email });
  expect(answer.status).toBe(200);
  return codeIn(await mailTo(account, RESET, count));
}

const creation = ({ email }: TestAccount, token: string, password = 'a new password') => ({
  email,
  token,
  password,
  password_confirmation: password,
});

async function verifiedAt({ email }: TestAccount): Promise<unknown> {
  const [row] = await environment.database.query('SELECT email_verified_at FROM accounts WHERE email = $1', [email]);
  return row?.email_verified_at;
}

describe('verify-email', () => {
  it('verifies with the token from the mail, once', async () => {
    const account = await register(client);
    const token = linkTokenIn(await mailTo(account, VERIFY));
    expect(await verifiedAt(account)).toBeNull();
    const answer = await client.get(`/auth/account/verify-email?token=${token}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: expect.any(String) });
    expect(await verifiedAt(account)).toBeInstanceOf(Date);
    const again = await client.get(`/auth/account/verify-email?token=${token}`);
    expect([again.status, again.body]).toEqual([400, { status: 400, error: 'Invalid or expired verification token' }]);
  });

  it('links to the address of the app', async () => {
    const account = await register(client);
    const { raw } = await mailTo(account, VERIFY);
    expect(raw).toContain('http://ledger.test/auth/account/verify-email?token=');
    expect(raw).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/);
  });

  it('refuses an expired token, and one that is none', async () => {
    const account = await register(client);
    const token = linkTokenIn(await mailTo(account, VERIFY));
    await environment.database.query(`UPDATE verification_tokens SET expires_at = now() - interval '1 s'`);
    for (const wrong of [token, 'nonsense', `1.${'a'.repeat(43)}`]) {
      const answer = await client.get(`/auth/account/verify-email?token=${wrong}`);
      expect(answer.body).toEqual({ status: 400, error: 'Invalid or expired verification token' });
    }
    expect(await verifiedAt(account)).toBeNull();
  });

  it('answers a missing token in the validation shape', async () => {
    const answer = await client.get('/auth/account/verify-email');
    expect(answer.body).toEqual({ message: ['token should not be empty'], error: 'Bad Request', statusCode: 400 });
  });

  it('sends the mail again on request, and both links work until one is used', async () => {
    const account = await registerAndLogIn(client);
    const first = linkTokenIn(await mailTo(account, VERIFY));
    expect((await account.client.post('/auth/account/resend-verification-email')).status).toBe(200);
    const second = linkTokenIn(await mailTo(account, VERIFY, 2));
    expect(second).not.toBe(first);
    expect((await client.get(`/auth/account/verify-email?token=${first}`)).status).toBe(200);
    expect((await client.get(`/auth/account/verify-email?token=${second}`)).status).toBe(400);
    expect((await account.client.post('/auth/account/resend-verification-email')).status).toBe(200);
    const left = await environment.database.query(
      `SELECT 1 FROM outbox o JOIN accounts a ON a.id = o.account_id WHERE a.email = $1 AND topic = 'verification-mail'`,
      [account.email],
    );
    expect(left).toHaveLength(2);
  });
});

describe('forgot-password and create-password', () => {
  it('sets a new password with the code, verifies the e-mail, ends all tokens and says so by mail', async () => {
    const account = await registerAndLogIn(client);
    const code = await forgotten(account);
    expect(code).toMatch(/^\d{8}$/);
    const answer = await client.post(CREATE, creation(account, code));
    expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String) }]);
    expect((await account.client.get(ME)).status).toBe(401);
    expect(await verifiedAt(account)).toBeInstanceOf(Date);
    expect((await client.post('/auth/login/account', account)).status).toBe(400);
    expect(
      (await client.post('/auth/login/account', { email: account.email, password: account.password })).status,
    ).toBe(401);
    await logIn(client, { ...account, password: 'a new password' });
    await mailTo(account, CHANGED);
    expect((await client.post(CREATE, creation(account, code))).body).toEqual(INVALID_CODE);
  });

  it('answers an unknown e-mail the same, and sends nothing', async () => {
    const account = await register(client);
    const known = await client.post(FORGOT, { email: account.email });
    const unknown = await client.post(FORGOT, { email: 'nobody@example.com' });
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    await mailTo(account, RESET);
    expect((await mails()).filter(({ to }) => to === 'nobody@example.com')).toEqual([]);
  });

  it('takes the same time for an unknown e-mail', async () => {
    const account = await register(client);
    const times: Record<string, number[]> = { [account.email]: [], 'nobody-either@example.com': [] };
    for (let round = 0; round < 9; round += 1) {
      for (const [email, taken] of Object.entries(times)) {
        const before = performance.now();
        await client.post(FORGOT, { email });
        taken.push(performance.now() - before);
      }
    }
    const [known = 0, unknown = 0] = Object.values(times).map((taken) => taken.sort((a, b) => a - b)[4]);
    expect(Math.abs(known - unknown) / unknown).toBeLessThan(0.2);
  });

  it('ends the earlier code when another is asked for', async () => {
    const account = await register(client);
    const first = await forgotten(account);
    await client.post(FORGOT, { email: account.email });
    // Before the new mail is even sent.
    expect((await client.post(CREATE, creation(account, first))).body).toEqual(INVALID_CODE);
    const second = codeIn(await mailTo(account, RESET, 2));
    expect((await client.post(CREATE, creation(account, second))).status).toBe(200);
  });

  it('is dead after 5 wrong tries, in parallel too', async () => {
    const account = await register(client);
    const code = await forgotten(account);
    const wrong = code === '00000000' ? '00000001' : '00000000';
    const tries = await Promise.all(Array.from({ length: 5 }, () => client.post(CREATE, creation(account, wrong))));
    for (const { body } of tries) expect(body).toEqual(INVALID_CODE);
    expect((await client.post(CREATE, creation(account, code))).body).toEqual(INVALID_CODE);
    await logIn(client, account);
  });

  it('survives 4 wrong tries', async () => {
    const account = await register(client);
    const code = await forgotten(account);
    const wrong = code === '00000000' ? '00000001' : '00000000';
    for (let attempt = 0; attempt < 4; attempt += 1) await client.post(CREATE, creation(account, wrong));
    expect((await client.post(CREATE, creation(account, code))).status).toBe(200);
  });

  it('lets one of two parallel uses of a code win', async () => {
    const account = await register(client);
    const code = await forgotten(account);
    const answers = await Promise.all(
      ['first password', 'second password'].map((password) => client.post(CREATE, creation(account, code, password))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('refuses an expired code', async () => {
    const account = await register(client);
    const code = await forgotten(account);
    await environment.database.query(`UPDATE reset_codes SET expires_at = now() - interval '1 s'`);
    expect((await client.post(CREATE, creation(account, code))).body).toEqual(INVALID_CODE);
  });

  it('does not take a code for a credential, nor another account’s code', async () => {
    const account = await register(client);
    const other = await register(client);
    const code = await forgotten(account);
    await forgotten(other);
    expect((await client.as({ token: code }).get(ME)).status).toBe(401);
    expect((await client.post(CREATE, creation(other, code))).body).toEqual(INVALID_CODE);
  });

  it.each([
    [FORGOT, {}, ['email should not be empty']],
    [FORGOT, { email: 'x' }, ['email must be an email']],
    [
      CREATE,
      {},
      [
        'email should not be empty',
        'token should not be empty',
        'password should not be empty',
        'password_confirmation should not be empty',
      ],
    ],
    [CREATE, { ...creation(inventAccount(), '1', 'short') }, ['password must be longer than or equal to 8 characters']],
  ])('validates %s %j', async (path, body, message) => {
    const answer = await client.post(path, body);
    expect(answer.body).toEqual({ message, error: 'Bad Request', statusCode: 400 });
  });

  it('refuses a confirmation that differs', async () => {
    const body = { ...creation(inventAccount(), '12345678'), password_confirmation: 'something else' };
    expect((await client.post(CREATE, body)).body).toEqual({
      status: 400,
      error: 'Password and confirmation do not match',
    });
  });
});

describe('reset-password', () => {
  const reset = (password: string, newPassword = 'a new password') => ({
    password,
    new_password: newPassword,
    password_confirmation: newPassword,
  });
  const RESET_PATH = '/auth/account/reset-password';

  it('changes the password, keeps the token used, ends the others and says so by mail', async () => {
    const account = await registerAndLogIn(client);
    const other = client.as({ token: await logIn(client, account) });
    expect((await other.get(ME)).status).toBe(200);
    const answer = await account.client.post(RESET_PATH, reset(account.password));
    expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String) }]);
    expect((await account.client.get(ME)).status).toBe(200);
    expect((await other.get(ME)).status).toBe(401);
    await logIn(client, { ...account, password: 'a new password' });
    await mailTo(account, CHANGED);
  });

  it('works with an API key, and then ends every token', async () => {
    const account = await registerAndLogIn(client);
    const keys = await account.client.post('/auth/account/generate-keys');
    const byKey = client.as({ base64: keys.body.data.base64_encoded });
    expect((await byKey.post(RESET_PATH, reset(account.password))).status).toBe(200);
    expect((await account.client.get(ME)).status).toBe(401);
    expect((await byKey.get(ME)).status).toBe(200);
  });

  it('lets one of two parallel changes win', async () => {
    const account = await registerAndLogIn(client);
    const answers = await Promise.all(
      ['first password', 'second password'].map((next) =>
        account.client.post(RESET_PATH, reset(account.password, next)),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it.each([
    ['a wrong current password', reset('wrong password'), { status: 400, error: 'Current password is incorrect' }],
    [
      'a confirmation that differs',
      { ...reset('x'), password_confirmation: 'different' },
      { status: 400, error: 'New password and confirmation do not match' },
    ],
    [
      'empty fields',
      { password: '', new_password: '', password_confirmation: '' },
      {
        message: [
          'password should not be empty',
          'new_password should not be empty',
          'new_password must be longer than or equal to 8 characters',
          'password_confirmation should not be empty',
        ],
        error: 'Bad Request',
        statusCode: 400,
      },
    ],
  ])('refuses %s and changes nothing', async (_case, body, expected) => {
    const account = await registerAndLogIn(client);
    const answer = await account.client.post(RESET_PATH, body);
    expect([answer.status, answer.body]).toEqual([400, expected]);
    await logIn(client, account);
  });
});

it('leaves no password, token or code in logs, in Redis or in the database', async () => {
  const account = await registerAndLogIn(client);
  const keys = (await account.client.post('/auth/account/generate-keys')).body.data;
  const linkToken = linkTokenIn(await mailTo(account, VERIFY));
  const code = await forgotten(account);
  await client.get(`/auth/account/verify-email?token=${linkToken}`);
  await client.post(CREATE, creation(account, code, 'the last password'));
  await mailTo(account, CHANGED);
  const tables = ['accounts', 'access_tokens', 'verification_tokens', 'reset_codes', 'outbox'];
  const rows = await Promise.all(tables.map((table) => environment.database.query(`SELECT * FROM ${table}`)));
  const places = {
    logs: environment.logLines.join(''),
    redis: await environment.dumpRedis(),
    rows: JSON.stringify(rows),
  };
  expect(places.redis.length).toBeGreaterThan(100);
  for (const secret of [account.password, account.token, keys.api_secret, linkToken, code, 'the last password']) {
    for (const [place, text] of Object.entries(places)) {
      if (text.includes(secret)) throw new Error(`a secret stands in the ${place}`);
    }
  }
});
