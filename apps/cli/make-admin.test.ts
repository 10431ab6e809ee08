import { describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { runCli } from '#testing/run-cli.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
const ME = '/auth/account/me';

async function makeAdmin(...args: string[]) {
  const env = { DATABASE_URL: api.database.url, DATA_DIR: '/somewhere' };
  const { code, stdout, stderr } = await runCli('make-admin', args, env);
  return { code, output: stdout + stderr };
}

async function roleOf(email: string): Promise<unknown> {
  const [row] = await api.database.query('SELECT role FROM accounts WHERE email = $1', [email]);
  return row?.role;
}

describe('make-admin', () => {
  it('demands a proof of the e-mail, not an opened link, and says where the mail is', async () => {
    const { email, client } = await registerAndLogIn(api.client);
    await api.database.query('UPDATE accounts SET email_verified_at = now() WHERE email = $1', [email]);
    const refused = await makeAdmin(email);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('is not proved');
    expect(refused.output).toContain('/somewhere/mail');
    expect(refused.output).toContain(`npm run make-admin -- ${email} --vouch`);
    expect(await roleOf(email)).toBe('business');
    expect((await client.get(ME)).status).toBe(200);
  });

  it('takes the word of the person at the machine', async () => {
    const { email, client } = await registerAndLogIn(api.client);
    const done = await makeAdmin('--vouch', email.toUpperCase());
    expect(done).toMatchObject({ code: 0, output: expect.stringContaining('is an admin now') });
    expect(await roleOf(email)).toBe('admin');
    expect((await client.get(ME)).status).toBe(401);
  });

  it.each([
    [[], 'Usage: npm run make-admin -- EMAIL [--vouch]'],
    [['a@example.com', 'b@example.com'], 'Usage'],
    [['--force', 'a@example.com'], 'Usage'],
    [['nobody@example.com', '--vouch'], 'There is no operator with the e-mail nobody@example.com'],
  ])('refuses %j', async (args, text) => {
    expect(await makeAdmin(...args)).toMatchObject({ code: 1, output: expect.stringContaining(text) });
  });
});
