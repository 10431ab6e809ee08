import { describe, expect, it } from '@jest/globals';
import { logIn, registerAndLogIn } from '#testing/client.js';
import { withTestApi } from '#testing/with-test-api.js';

// The worker writes mails to files here; apps/worker tests against an SMTP server.

const CHANGED = 'Your password was changed';
const ME = '/auth/account/me';

const api = withTestApi({ hasWorker: true });

describe('reset-password', () => {
  const reset = (password: string, newPassword = 'a new password') => ({
    password,
    new_password: newPassword,
    password_confirmation: newPassword,
  });
  const RESET_PATH = '/auth/account/reset-password';

  it('changes the password, leaves the token used, ends the others and says so by mail', async () => {
    const account = await registerAndLogIn(api.client);
    const other = api.client.as({ token: await logIn(api.client, account) });
    expect((await other.get(ME)).status).toBe(200);
    const answer = await account.client.post(RESET_PATH, reset(account.password));
    expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String) }]);
    expect((await account.client.get(ME)).status).toBe(200);
    expect((await other.get(ME)).status).toBe(401);
    await logIn(api.client, { ...account, password: 'a new password' });
    await api.mailTo(account, CHANGED);
  });

  it('works with an API key, and then ends every token', async () => {
    const account = await registerAndLogIn(api.client);
    const keys = await account.client.post('/auth/account/generate-keys');
    const byKey = api.client.as({ base64: keys.body.data.base64_encoded });
    expect((await byKey.post(RESET_PATH, reset(account.password))).status).toBe(200);
    expect((await account.client.get(ME)).status).toBe(401);
    expect((await byKey.get(ME)).status).toBe(200);
  });

  it('lets one of two parallel changes win', async () => {
    const account = await registerAndLogIn(api.client);
    const answers = await Promise.all(
      ['first password', 'second password'].map((next) =>
        account.client.post(RESET_PATH, reset(account.password, next)),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('refuses the name of the business as the new one, without counting it as a wrong try', async () => {
    const account = await registerAndLogIn(api.client);
    const error = 'The password must not be the name of the business, its e-mail address or the name of this service';
    for (let round = 0; round < 21; round += 1) {
      const answer = await account.client.post(RESET_PATH, reset(account.password, account.name));
      expect([answer.status, answer.body]).toEqual([400, { status: 400, error }]);
    }
    await logIn(api.client, account);
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
    const account = await registerAndLogIn(api.client);
    const answer = await account.client.post(RESET_PATH, body);
    expect([answer.status, answer.body]).toEqual([400, expected]);
    await logIn(api.client, account);
  });
});
