import { describe, expect, it } from '@jest/globals';
import { inventAccount, register } from '#testing/client.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ settings: { BCRYPT_COST: '10' } });

describe('register', () => {
  it('answers 201 with a message and nothing else, and writes the mail in the same transaction', async () => {
    const account = inventAccount();
    const answer = await api.client.post('/auth/register/account', account);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ message: expect.any(String) });
    const mails = await api.database.query(
      `SELECT o.topic FROM outbox o JOIN accounts a ON a.id = o.account_id WHERE a.email = $1`,
      [account.email],
    );
    expect(mails).toEqual([{ topic: 'verification-mail' }]);
  });

  it('stores no password, only its bcrypt hash', async () => {
    const account = await register(api.client);
    const [row] = await api.database.query('SELECT * FROM accounts WHERE email = $1', [account.email]);
    expect(row?.password_hash).toMatch(/^\$2b\$10\$/);
    expect(JSON.stringify(row)).not.toContain(account.password);
  });

  it('notes the network of the caller, with which the account shares quotas', async () => {
    const { email } = await register(api.client);
    const found = await api.database.query('SELECT registered_from FROM accounts WHERE email = $1', [email]);
    expect(found).toEqual([{ registered_from: '127.0.0.0/24' }]);
  });

  it('refuses a taken e-mail in upper or lower case, with 409 in the domain shape', async () => {
    const account = await register(api.client);
    const again = { ...inventAccount(), email: account.email.toUpperCase() };
    const answer = await api.client.post('/auth/register/account', again);
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ status: 409, error: 'Email is already registered' });
  });

  it('lets exactly one of many parallel registrations of an e-mail win', async () => {
    const account = inventAccount();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.client.post('/auth/register/account', account)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  it('takes a password of 64 characters of four bytes each, whole', async () => {
    const account = await register(api.client, { ...inventAccount(), password: '🎲'.repeat(64) });
    const statusOf = async (password: string) =>
      (await api.client.post('/auth/login/account', { email: account.email, password })).status;
    expect(await statusOf(account.password)).toBe(200);
    // bcrypt alone would read the same 72 bytes of these.
    for (const other of ['🎲'.repeat(18), '🎲'.repeat(63), `${'🎲'.repeat(63)}🎯`])
      expect(await statusOf(other)).toBe(401);
  });

  it.each([
    ['the e-mail address', 'owner-of-bets@corner-bets.example'],
    ['its name', 'Owner of Bets 2026'],
    ['its domain', 'CORNER-BETS!'],
    ['the name of the business', 'corner gamblers & sons 1'],
    ['the name of the service', 'BettingLedger1'],
  ])('refuses a password that is easy to guess: %s', async (_case, password) => {
    const account = { name: 'Corner Gamblers & Sons', email: 'owner-of-bets@corner-bets.example', password };
    const answer = await api.client.post('/auth/register/account', account);
    const error = 'The password must not be the name of the business, its e-mail address or the name of this service';
    expect([answer.status, answer.body]).toEqual([400, { status: 400, error }]);
  });

  it.each([
    ['nothing', {}, ['name should not be empty', 'email should not be empty', 'password should not be empty']],
    ['a bad e-mail', { email: 'nobody' }, ['email must be an email']],
    ['a short password', { password: '1234567' }, ['password must be longer than or equal to 8 characters']],
    ['a password over 72 bytes', { password: 'x'.repeat(73) }, ['password must be shorter than or equal to 72 bytes']],
    [
      'a password of 65 wide characters',
      { password: '🎲'.repeat(65) },
      ['password must be shorter than or equal to 72 bytes'],
    ],
    ['a number for a name', { name: 5 }, ['name must be a string']],
    ['an unknown field', { role: 'admin' }, ['property role should not exist']],
    ['a null character', { name: 'a\0b' }, ['name must not contain null characters']],
  ])('refuses %s', async (_case, change, message) => {
    const body = Object.keys(change).length === 0 ? {} : { ...inventAccount(), ...change };
    const answer = await api.client.post('/auth/register/account', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ message, error: 'Bad Request', statusCode: 400 });
  });
});
