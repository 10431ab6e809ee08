import { describe, expect, it } from '@jest/globals';
import { Refusal } from '#platform/errors/refusal.js';
import { refusalOf, type Session, useAccounts } from '#testing/accounts-fixture.js';
import { findAccessByToken } from './access/access-repository.js';
import { SERVICE } from './access/fair-line.js';
import { createPasswords, type Passwords } from './access/passwords.js';
import { readAccountToken } from './access/secrets.js';
import { endSession, logIn, logOut } from './sessions.js';

const accounts = useAccounts();

const DAY_MS = 86_400_000;

/** Logs in with these passwords in the place of the usual ones. */
const logInWith = (passwords: Passwords, given: { readonly email: string; readonly password: string }) =>
  logIn({ ...accounts.context, passwords }, given);

describe('a login', () => {
  it('makes a session, whatever the case of the e-mail, and says so in the events', async () => {
    const account = await accounts.register();
    const session = await accounts.logIn({ ...account, email: account.email.toUpperCase() });
    expect(await accounts.opens(session.token)).toBe(true);
    const [, login] = await accounts.eventsOf(account);
    expect(login).toMatchObject({
      type: 'login',
      actor: { type: 'account', account_id: Number(account.id), name: account.name },
      address: '192.0.2.1',
      after: { session_id: Number(session.tokenId) },
      request_id: 'request',
    });
    const [row] = await accounts.query('SELECT address FROM access_tokens WHERE id = $1', [session.tokenId]);
    expect(row).toEqual({ address: '192.0.2.1' });
  });

  it('stores only a hash of the token', async () => {
    const { token } = await accounts.registerAndLogIn();
    const rows = await accounts.query(`SELECT encode(token_hash, 'escape') AS hash, * FROM access_tokens`);
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[1]);
  });

  it('lasts a day', async () => {
    const { token } = await accounts.registerAndLogIn();
    const read = readAccountToken(token);
    const accessIn = (ms: number) =>
      read && findAccessByToken(accounts.database.shared, read, accounts.later(ms).now());
    expect(await accessIn(DAY_MS - 60_000)).toMatchObject({ role: 'business', status: 'active' });
    expect(await accessIn(DAY_MS)).toBeUndefined();
  });

  it('is refused with a wrong password or an unknown e-mail, and a wrong password is noted', async () => {
    const { email, password, id } = await accounts.register();
    const known: bigint[] = [];
    const tryWith = (given: object) =>
      logIn(accounts.context, { email, password, ...given, onAccount: (accountId) => known.push(accountId) });
    const noted = accounts.wrongLogins.length;
    expect(await tryWith({ password: 'something else' })).toBeUndefined();
    expect(await tryWith({ email: 'nobody@example.com' })).toBeUndefined();
    expect(await tryWith({})).toEqual(expect.any(String));
    expect(known).toEqual([id, id]);
    expect(accounts.wrongLogins.slice(noted)).toEqual([{ accountId: id, address: '192.0.2.1', requestId: 'request' }]);
  });

  it('gives nothing when the password has changed since it was checked', async () => {
    const account = await accounts.register();
    const changing: Passwords = {
      ...accounts.context.passwords,
      async matches(...given) {
        const isRight = await accounts.context.passwords.matches(...given);
        await accounts.changeHash(account);
        return isRight;
      },
    };
    expect(await logInWith(changing, account)).toBeUndefined();
    expect(await accounts.typesOf(account)).toEqual(['registered']);
  });
});

describe('a login after the cost of hashes has risen', () => {
  const costlier = createPasswords(5);
  const passwords = costlier.for(SERVICE);

  it('hashes the password again, once, and changes nothing else', async () => {
    const account = await accounts.register();
    const before = await accounts.rowOf(account);
    expect(await logInWith(passwords, { ...account, password: 'something else' })).toBeUndefined();
    expect(await accounts.passwordHashOf(account)).toMatch(/^\$2b\$04\$/);
    // Only one of them stores its new hash.
    const tokens = await Promise.all([1, 2, 3].map(() => logInWith(passwords, account)));
    for (const token of tokens) expect(await accounts.opens(String(token))).toBe(true);
    const upgraded = await accounts.passwordHashOf(account);
    expect([upgraded.slice(0, 7), await accounts.rowOf(account)]).toEqual(['$2b$05$', before]);
    // A process that still has the lower cost accepts the hash and leaves it.
    await accounts.logIn(account);
    expect(await accounts.passwordHashOf(account)).toBe(upgraded);
  });

  it('succeeds when there is no room to hash it again', async () => {
    const account = await accounts.register();
    const busy = { ...passwords, hash: () => Promise.reject(new Refusal('overloaded')) };
    expect(await logInWith(busy, account)).toEqual(expect.any(String));
    expect(await accounts.passwordHashOf(account)).toMatch(/^\$2b\$04\$/);
    await expect(logInWith({ ...busy, hash: () => Promise.reject(new Error('broken')) }, account)).rejects.toThrow(
      'broken',
    );
    await costlier.close();
  });
});

describe('logging out', () => {
  const logOutOf = (session: Session, all = false) => logOut(accounts.context, session, { id: session.tokenId, all });

  it('ends the token used and no other, and says so once', async () => {
    const account = await accounts.registerAndLogIn();
    const other = await accounts.logIn(account);
    await logOutOf(account);
    expect([await accounts.opens(account.token), await accounts.opens(other.token)]).toEqual([false, true]);
    await logOutOf(account);
    const ended = (await accounts.eventsOf(account)).filter(({ type }) => type === 'session-ended');
    expect(ended).toMatchObject([{ before: { session_id: Number(account.tokenId) } }]);
  });

  it('ends every token when asked to, but no API key and no other account', async () => {
    const account = await accounts.registerAndLogIn();
    const [other, key] = [await accounts.logIn(account), await accounts.makeKey(account)];
    const bystander = await accounts.registerAndLogIn();
    await logOutOf(account, true);
    expect([await accounts.opens(account.token), await accounts.opens(other.token)]).toEqual([false, false]);
    expect([await accounts.opens(key), await accounts.opens(bystander.token)]).toEqual([true, true]);
    expect((await accounts.eventsOf(account)).at(-1)).toMatchObject({ type: 'session-ended', before: { sessions: 2 } });
  });
});

describe('ending one session', () => {
  const end = (accountId: bigint, id: bigint) =>
    refusalOf(endSession(accounts.context, { accountId, tokenId: id, operatorId: undefined }));

  it('ends that one alone, once', async () => {
    const account = await accounts.registerAndLogIn();
    const other = await accounts.logIn(account);
    expect(await end(account.id, other.tokenId)).toBeUndefined();
    expect([await accounts.opens(account.token), await accounts.opens(other.token)]).toEqual([true, false]);
    expect(await end(account.id, other.tokenId)).toBe('session-not-found');
    const ended = (await accounts.eventsOf(account)).slice(3);
    expect(ended).toMatchObject([{ type: 'session-ended', before: { session_id: Number(other.tokenId) } }]);
  });

  it('knows no session of another account, and none whose time is over', async () => {
    const [account, other] = [await accounts.registerAndLogIn(), await accounts.registerAndLogIn()];
    expect(await end(account.id, other.tokenId)).toBe('session-not-found');
    expect(await accounts.opens(other.token)).toBe(true);
    await accounts.query(`UPDATE access_tokens SET expires_at = now() - interval '1 s' WHERE id = $1`, [
      account.tokenId,
    ]);
    expect(await end(account.id, account.tokenId)).toBe('session-not-found');
  });
});
