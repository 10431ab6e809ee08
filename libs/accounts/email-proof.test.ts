import { beforeEach, describe, expect, it } from '@jest/globals';
import { type OpenAccount, refusalOf, useAccounts } from '#testing/accounts-fixture.js';
import type { Passwords } from './access/passwords.js';
import { confirmEmail, findVerification, resendVerification, verifyEmail } from './email-proof.js';

const accounts = useAccounts();
let account: OpenAccount;

const DAY_MS = 86_400_000;
const INVALID = 'verification-token-invalid';

beforeEach(async () => {
  account = await accounts.register();
});

const open = (token: string, afterMs = 0) => refusalOf(verifyEmail(accounts.later(afterMs), token));

async function confirmWith(context: typeof accounts.context, token: string, password: string): Promise<void> {
  await confirmEmail(context, await findVerification(context, token), password);
}
const confirm = (token: string, password = account.password, afterMs = 0) =>
  refusalOf(confirmWith(accounts.later(afterMs), token, password));

async function state() {
  const { email_verified_at, email_proved_at } = await accounts.rowOf(account);
  return { isVerified: email_verified_at !== null, isProved: email_proved_at !== null };
}

describe('opening the link of the mail', () => {
  it('verifies the address, once, and is no proof', async () => {
    const token = await accounts.linkToken(account);
    expect(await state()).toEqual({ isVerified: false, isProved: false });
    expect(await open(token)).toBeUndefined();
    expect(await state()).toEqual({ isVerified: true, isProved: false });
    expect(await open(token)).toBe(INVALID);
    const [, verified] = await accounts.eventsOf(account);
    const owner = { type: 'account', account_id: Number(account.id), api_key_id: null, name: account.name };
    expect(verified).toMatchObject({ type: 'email-verified', actor: owner, after: { email: account.email } });
  });

  it('works for a day', async () => {
    const token = await accounts.linkToken(account);
    expect(await open(token, DAY_MS)).toBe(INVALID);
    expect(await open(token, DAY_MS - 60_000)).toBeUndefined();
  });

  it('does nothing with a token that is none', async () => {
    await accounts.linkToken(account);
    for (const token of ['nonsense', `${account.id}.${'a'.repeat(43)}`, `999999.${'a'.repeat(43)}`]) {
      expect(await open(token)).toBe(INVALID);
    }
    expect(await state()).toEqual({ isVerified: false, isProved: false });
  });

  it('takes either of two links, but only one of them', async () => {
    const first = await accounts.linkToken(account);
    expect(await resendVerification(accounts.context, account.id)).toBe(true);
    const second = await accounts.linkToken(account);
    expect(second).not.toBe(first);
    expect([await open(first), await open(second)]).toEqual([undefined, INVALID]);
  });

  it('stores only a hash of the token', async () => {
    const token = await accounts.linkToken(account);
    const rows = await accounts.query(`SELECT encode(token_hash, 'escape') AS hash, * FROM verification_tokens`);
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[1]);
  });
});

describe('confirming with the token and the password', () => {
  it('proves the address, once', async () => {
    const token = await accounts.linkToken(account);
    expect(await confirm(token)).toBeUndefined();
    expect(await state()).toEqual({ isVerified: true, isProved: true });
    expect([await confirm(token), await open(token)]).toEqual([INVALID, INVALID]);
    expect(await accounts.typesOf(account)).toEqual(['registered', 'email-verified', 'email-proved']);
  });

  it('proves it after a program has opened the link', async () => {
    const token = await accounts.linkToken(account);
    expect(await open(token)).toBeUndefined();
    expect(await confirm(token)).toBeUndefined();
    expect(await state()).toEqual({ isVerified: true, isProved: true });
    expect(await accounts.typesOf(account)).toEqual(['registered', 'email-verified', 'email-proved']);
  });

  it('refuses a wrong password, says so in the events, and keeps the token', async () => {
    const token = await accounts.linkToken(account);
    expect(await confirm(token, 'some other password')).toBe('password-wrong');
    expect(await state()).toEqual({ isVerified: false, isProved: false });
    const [, refused] = await accounts.eventsOf(account);
    expect(refused).toMatchObject({ type: 'password-refused', actor: { type: 'unknown', account_id: null } });
    expect(await confirm(token)).toBeUndefined();
  });

  it('gives no try of a password without the token of a mail', async () => {
    const token = await accounts.linkToken(account);
    for (const wrong of ['nonsense', `${account.id}.${'a'.repeat(43)}`, `999999.${'a'.repeat(43)}`]) {
      expect([await confirm(wrong), await confirm(wrong, 'some other password')]).toEqual([INVALID, INVALID]);
    }
    expect(await confirm(token, 'some other password', DAY_MS)).toBe(INVALID);
    expect(await accounts.typesOf(account)).toEqual(['registered']);
  });

  it('takes one of two parallel uses of a token', async () => {
    const token = await accounts.linkToken(account);
    const refusals = await Promise.all([confirm(token), confirm(token)]);
    expect(refusals.sort()).toEqual([INVALID, undefined]);
  });

  it('proves nothing when the password has changed since it was checked', async () => {
    const token = await accounts.linkToken(account);
    const { context } = accounts;
    const passwords: Passwords = {
      ...context.passwords,
      async matches(...given) {
        const isRight = await context.passwords.matches(...given);
        await accounts.changeHash(account);
        return isRight;
      },
    };
    const confirming = confirmWith({ ...context, passwords }, token, account.password);
    expect(await refusalOf(confirming)).toBe('password-wrong');
    expect(await state()).toEqual({ isVerified: false, isProved: false });
  });
});

describe('verification mails', () => {
  it('are sent again until the address is proved', async () => {
    expect(await open(await accounts.linkToken(account))).toBeUndefined();
    expect(await resendVerification(accounts.context, account.id)).toBe(true);
    expect(await confirm(await accounts.linkToken(account))).toBeUndefined();
    expect(await resendVerification(accounts.context, account.id)).toBe(false);
    expect(await resendVerification(accounts.context, 999_999n)).toBe(false);
    expect(await accounts.mailsOf(account)).toEqual(['verification-mail', 'verification-mail']);
  });

  it('that wait are moot once it is proved', async () => {
    expect(await confirm(await accounts.linkToken(account))).toBeUndefined();
    await accounts.query(`UPDATE outbox SET done_at = NULL WHERE account_id = $1`, [account.id]);
    expect(await accounts.sendMail(account, 'verification-mail')).toBeUndefined();
    const [entry] = await accounts.query('SELECT done_at FROM outbox WHERE account_id = $1', [account.id]);
    expect(entry?.done_at).toBeInstanceOf(Date);
  });
});
