import { describe, expect, it } from '@jest/globals';
import { inventAccount, logIn, register } from '#testing/client.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ settings: { BCRYPT_COST: '10' } });

describe('register', () => {
  it('answers 201 with a message and nothing else', async () => {
    const answer = await api.client.post('/auth/register/account', inventAccount());
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ message: expect.any(String) });
  });

  it('hashes the password at the cost of the configuration', async () => {
    const { email } = await register(api.client);
    const [row] = await api.database.query('SELECT password_hash FROM operators WHERE email = $1', [email]);
    expect(row?.password_hash).toMatch(/^\$2b\$10\$/);
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

  it('takes a password of 64 characters of four bytes each', async () => {
    const account = await register(api.client, { ...inventAccount(), password: '🎲'.repeat(64) });
    await logIn(api.client, account);
  });

  it('refuses a common password', async () => {
    const account = { ...inventAccount(), password: 'Sunshine2026!' };
    const answer = await api.client.post('/auth/register/account', account);
    const error = 'The password must not be a common or breached one';
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
