import { describe, expect, it } from '@jest/globals';
import { type OpenAccount, refusalOf, useAccounts } from '#testing/accounts-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { verifyEmail } from './email-proof.js';
import { createForgottenPassword, forgotPassword, resetPassword } from './password-changes.js';

const accounts = useAccounts();

const LIFE_MS = 600_000;
const NEW = 'a new password';

const isPassword = async (account: OpenAccount, password: string) =>
  refusalOf(accounts.logIn({ ...account, password })).then((refusal) => refusal === undefined);

describe('changing the password with the current one', () => {
  const change = (
    account: OpenAccount,
    { from = account.password, to = NEW, callerTokenId = undefined as bigint | undefined } = {},
  ) =>
    refusalOf(
      resetPassword(accounts.context, {
        accountId: account.id,
        operatorId: account.operatorId,
        callerTokenId,
        currentPassword: from,
        newPassword: to,
      }),
    );

  it('leaves the token used, ends the others, and says so in the events and by mail', async () => {
    const account = await accounts.registerAndLogIn();
    const other = await accounts.logIn(account);
    expect(await change(account, { callerTokenId: account.tokenId })).toBeUndefined();
    expect([await accounts.opens(account.token), await accounts.opens(other.token)]).toEqual([true, false]);
    expect((await accounts.eventsOf(account)).at(-1)).toMatchObject({
      type: 'password-changed',
      before: { sessions: 1 },
    });
    expect(await accounts.mailsOf(account)).toEqual(['verification-mail', 'password-changed-mail']);
    expect([await isPassword(account, account.password), await isPassword(account, NEW)]).toEqual([false, true]);
  });

  it('ends every token when an API key asks, and leaves the key', async () => {
    const account = await accounts.registerAndLogIn();
    const key = await accounts.makeKey(account);
    expect(await change(account)).toBeUndefined();
    expect([await accounts.opens(account.token), await accounts.opens(key)]).toEqual([false, true]);
  });

  it('lets one of two parallel changes win', async () => {
    const account = await accounts.register();
    const refusals = await Promise.all(['first password', 'second password'].map((to) => change(account, { to })));
    expect(refusals.sort()).toEqual(['current-password-wrong', undefined]);
  });

  it('refuses a wrong password, which is an event, and changes nothing', async () => {
    const account = await accounts.registerAndLogIn();
    expect(await change(account, { from: 'not it' })).toBe('current-password-wrong');
    expect(await accounts.opens(account.token)).toBe(true);
    expect(await accounts.typesOf(account)).toEqual(['registered', 'login', 'password-refused']);
    expect(await isPassword(account, account.password)).toBe(true);
  });

  it('refuses the name of the business or a common password as the new one, without event or mail', async () => {
    const account = await accounts.register();
    expect(await change(account, { to: account.name })).toBe('password-obvious');
    expect(await change(account, { to: 'Password123!' })).toBe('password-common');
    expect(await accounts.typesOf(account)).toEqual(['registered']);
    expect(await accounts.mailsOf(account)).toEqual(['verification-mail']);
    expect(await isPassword(account, account.password)).toBe(true);
  });
});

/** Sets a password with a code, and returns the refusal. */
const recover = ({ email }: OpenAccount, code: string, { to = NEW, endsAccess = true, afterMs = 0 } = {}) =>
  refusalOf(createForgottenPassword(accounts.later(afterMs), { email, code, newPassword: to, endsAccess }));

const wrongCode = (code: string) => (code === '00000000' ? '00000001' : '00000000');

describe('a reset code', () => {
  it('sets a new password once, verifies and proves the e-mail, ends all tokens and says so', async () => {
    const account = await accounts.registerAndLogIn();
    const code = await accounts.resetCode(account);
    expect(code).toMatch(/^\d{8}$/);
    expect(await recover(account, code)).toBeUndefined();
    expect(await accounts.opens(account.token)).toBe(false);
    expect([await isPassword(account, account.password), await isPassword(account, NEW)]).toEqual([false, true]);
    expect(await accounts.rowOf(account)).toMatchObject({
      email_verified_at: expect.any(Date),
      email_proved_at: expect.any(Date),
    });
    expect((await accounts.typesOf(account)).slice(2, -1)).toEqual([
      'email-verified',
      'email-proved',
      'access-ended',
      'password-recovered',
    ]);
    expect((await accounts.mailsOf(account)).at(-1)).toBe('password-changed-mail');
    expect(await recover(account, code)).toBe('reset-code-invalid');
  });

  it('is stored as a hash alone', async () => {
    const account = await accounts.register();
    const code = await accounts.resetCode(account);
    const rows = await accounts.query('SELECT * FROM reset_codes WHERE account_id = $1', [account.id]);
    expect(rows).toMatchObject([{ code_hash: expect.stringMatching(/^\$2b\$04\$/), wrong_tries: 0 }]);
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  it('takes whatever case the e-mail has', async () => {
    const account = await accounts.register();
    const code = await accounts.resetCode({ ...account, email: account.email.toUpperCase() });
    expect(await recover({ ...account, email: account.email.toUpperCase() }, code)).toBeUndefined();
  });

  it('lives 10 minutes', async () => {
    const account = await accounts.register();
    const code = await accounts.resetCode(account);
    expect(await recover(account, code, { afterMs: LIFE_MS })).toBe('reset-code-invalid');
    expect(await recover(account, code, { afterMs: LIFE_MS - 60_000 })).toBeUndefined();
  });

  it('survives 4 wrong tries, and is dead after 5, in parallel too', async () => {
    const [account, other] = [await accounts.register(), await accounts.register()];
    const [code, dead] = [await accounts.resetCode(account), await accounts.resetCode(other)];
    for (let tries = 0; tries < 4; tries += 1)
      expect(await recover(account, wrongCode(code))).toBe('reset-code-invalid');
    expect(await recover(account, code)).toBeUndefined();
    await Promise.all(Array.from({ length: 5 }, () => recover(other, wrongCode(dead))));
    expect(await recover(other, dead)).toBe('reset-code-invalid');
    expect(await isPassword(other, other.password)).toBe(true);
  });

  it('works for one of two parallel uses', async () => {
    const account = await accounts.register();
    const code = await accounts.resetCode(account);
    const uses = ['first password', 'second password'].map((to) => recover(account, code, { to }));
    expect((await Promise.all(uses)).sort()).toEqual(['reset-code-invalid', undefined]);
  });

  it('is for its own account, and not a credential', async () => {
    const [account, other] = [await accounts.register(), await accounts.register()];
    const code = await accounts.resetCode(account);
    await accounts.resetCode(other);
    expect(await recover(other, code)).toBe('reset-code-invalid');
    expect(await recover({ ...account, email: 'nobody@example.com' }, code)).toBe('reset-code-invalid');
    expect(await accounts.opens(code)).toBe(false);
  });

  it('survives the refusal of an obvious password', async () => {
    const account = await accounts.register();
    const code = await accounts.resetCode(account);
    expect(await recover(account, code, { to: account.name })).toBe('password-obvious');
    expect(await recover(account, code)).toBeUndefined();
  });

  it('loses no try to a common password, which is refused for an unknown e-mail and a wrong code, too', async () => {
    const account = await accounts.register();
    const code = await accounts.resetCode(account);
    for (let tries = 0; tries < 5; tries += 1)
      expect(await recover(account, code, { to: 'Password123!' })).toBe('password-common');
    const stranger = { ...account, email: 'nobody@example.com' };
    expect(await recover(stranger, code, { to: 'Password123!' })).toBe('password-common');
    expect(await recover(account, wrongCode(code), { to: 'Password123!' })).toBe('password-common');
    expect(await isPassword(account, account.password)).toBe(true);
    expect(await recover(account, code)).toBeUndefined();
  });

  it('ends the links that could prove the e-mail', async () => {
    const account = await accounts.register();
    const link = await accounts.linkToken(account);
    expect(await recover(account, await accounts.resetCode(account))).toBeUndefined();
    expect(await refusalOf(verifyEmail(accounts.context, link))).toBe('verification-token-invalid');
  });
});

describe('the API keys of an account that is recovered', () => {
  it.each([
    ['end while its e-mail is not proved, whatever is asked', {}, false],
    ['end, too, when a program has opened the link', { isOpened: true }, false],
    ['stay when asked to, once it is proved', { isProved: true }, true],
    ['end when asked to, once it is proved', { isProved: true, endsAccess: true }, false],
  ])(
    '%s',
    async (_case, { isOpened = false, isProved = false, endsAccess = false }: Record<string, boolean>, stays) => {
      const registered = await accounts.register();
      if (isOpened) await verifyEmail(accounts.context, await accounts.linkToken(registered));
      if (isProved) expect(await recover(registered, await accounts.resetCode(registered))).toBeUndefined();
      const account = { ...registered, ...(isProved && { password: NEW }) };
      const key = await accounts.makeKey(await accounts.logIn(account));
      const code = await accounts.resetCode(account);
      expect(await recover(account, code, { to: 'another password', endsAccess })).toBeUndefined();
      expect(await accounts.opens(key)).toBe(stays);
      expect((await accounts.rowOf(account)).api_key_generated_at === null).toBe(!stays);
    },
  );
});

describe('requests for a reset code', () => {
  const medianIn = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const timeOf = async (email: string) => {
    const before = performance.now();
    await forgotPassword(accounts.context, email);
    return performance.now() - before;
  };

  it('do the same for an unknown e-mail, even an entry in the outbox, which sends nothing', async () => {
    const account = await accounts.register();
    await forgotPassword(accounts.context, account.email);
    await forgotPassword(accounts.context, 'nobody@example.com');
    expect(await accounts.mailsOf(account)).toEqual(['verification-mail', 'password-reset-mail']);
    expect(await accounts.mailsOf({ id: 0n })).toEqual(['password-reset-mail']);
    expect(await accounts.sendMail({ id: 0n }, 'password-reset-mail')).toBeUndefined();
  });

  it('end the earlier code before the new one is sent', async () => {
    const account = await accounts.register();
    const first = await accounts.resetCode(account);
    await forgotPassword(accounts.context, account.email);
    expect(await recover(account, first)).toBe('reset-code-invalid');
  });

  it('take the same time for an unknown e-mail', async () => {
    const times: Record<string, number[]> = {
      [(await accounts.register()).email]: [],
      'nobody-either@example.com': [],
    };
    let difference = Infinity;
    // Other work of the machine adds to single times: more rounds leave less of it in the median.
    for (const rounds of [9, 27, 81]) {
      if (difference < 0.2) break;
      for (let round = 0; round < rounds; round += 1) {
        for (const [email, taken] of Object.entries(times)) taken.push(await timeOf(email));
      }
      const [known = 0, unknown = 0] = Object.values(times).map(medianIn);
      difference = Math.abs(known - unknown) / unknown;
    }
    expect(difference).toBeLessThan(0.2);
  });

  it('of one account wait for its row with one connection, and leave the others to everyone else', async () => {
    const { email, id } = await accounts.register();
    await withPostgresClient({ connectionString: accounts.environment.database.url }, async (other) => {
      await other.query('BEGIN');
      await other.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [id]);
      const asked = Promise.all(Array.from({ length: 60 }, () => forgotPassword(accounts.context, email)));
      const countWaiting = async () =>
        (
          await accounts.query(
            `SELECT FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'SELECT 1 FROM accounts WHERE id%'`,
          )
        ).length;
      await waitFor(async () => (await countWaiting()) > 0);
      await accounts.database.shared.$queryRaw`SELECT 1`;
      const waiting = await countWaiting();
      await other.query('COMMIT');
      expect(waiting).toBe(1);
      await asked;
    });
  });
});
