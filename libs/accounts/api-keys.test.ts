import { beforeEach, describe, expect, it } from '@jest/globals';
import { type OpenAccount, refusalOf, type Session, useAccounts } from '#testing/accounts-fixture.js';
import { endAccountAccess } from './accounts.js';
import { DEFAULT_KEY, revokeApiKey } from './api-keys.js';
import { resetPassword } from './password-changes.js';
import { logOut } from './sessions.js';

const accounts = useAccounts();
let account: OpenAccount & Session;

beforeEach(async () => {
  account = await accounts.registerAndLogIn();
});

/** A key that takes the place of no other. */
const make = (name: string, more: object = {}) => accounts.makeKey(account, { name, replaces: false, ...more });
const revoke = (id: bigint, accountId = account.id) => refusalOf(revokeApiKey(accounts.context, accountId, id));
const keyNames = async () => {
  const rows = await accounts.query('SELECT name FROM api_keys WHERE account_id = $1 ORDER BY id', [account.id]);
  return rows.map(({ name }) => name);
};

describe('an API key', () => {
  it('opens the account, stores no secret, and is told in the events and by mail', async () => {
    const key = await make('bets');
    expect(await accounts.opens(key)).toBe(true);
    const rows = await accounts.query(`SELECT encode(secret_hash, 'escape') AS hash, * FROM api_keys`);
    expect(JSON.stringify(rows)).not.toContain(key.apiSecret);
    const after = { id: Number(key.id), name: 'bets', expires_at: null };
    expect((await accounts.eventsOf(account)).at(-1)).toMatchObject({ type: 'api-key-created', after });
    expect((await accounts.mailsOf(account)).at(-1)).toBe('api-key-created-mail');
    expect((await accounts.rowOf(account)).api_key_generated_at).toEqual(key.createdAt);
  });

  it('opens it only with its own secret', async () => {
    const [key, other] = [await make('one'), await accounts.makeKey(await accounts.registerAndLogIn())];
    for (const apiSecret of ['a'.repeat(43), other.apiSecret, `${key.apiSecret}:junk`, '']) {
      expect(await accounts.opens({ ...key, apiSecret })).toBe(false);
    }
    expect(await accounts.opens({ ...key, apiKey: other.apiKey })).toBe(false);
  });

  it('opens nothing when its time is over', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const key = await make('short', { expiresAt });
    expect(await accounts.opens(key)).toBe(true);
    const caller = await accounts.authenticator.withApiKey(key.apiKey, key.apiSecret);
    expect(caller).toMatchObject({ tokenId: undefined, apiKey: { name: 'short' }, expiresAtMs: expiresAt.getTime() });
    await accounts.query(`UPDATE api_keys SET expires_at = now() - interval '1 ms' WHERE id = $1`, [key.id]);
    expect(await accounts.opens(key)).toBe(false);
  });

  it('has a name of its own, unless it takes the place of the key with its name', async () => {
    const first = await make(DEFAULT_KEY);
    expect(await refusalOf(make(DEFAULT_KEY))).toBe('api-key-name-taken');
    expect(await accounts.opens(first)).toBe(true);
    const second = await accounts.makeKey(account);
    expect([await accounts.opens(first), await accounts.opens(second)]).toEqual([false, true]);
    expect(await keyNames()).toEqual([DEFAULT_KEY]);
    expect((await accounts.eventsOf(account)).slice(-2)).toMatchObject([
      { type: 'api-key-revoked', before: { id: Number(first.id), name: DEFAULT_KEY } },
      { type: 'api-key-created', after: { id: Number(second.id) } },
    ]);
    // Another account may have the same name.
    await accounts.makeKey(await accounts.registerAndLogIn());
  });

  it('is one of 50 at most, also of those that come at once', async () => {
    await accounts.makeKey(account);
    await accounts.query(
      `INSERT INTO api_keys (account_id, name, api_key, secret_hash)
       SELECT $1::bigint, n, 'key_' || n, 'x' FROM generate_series(1, 48) n`,
      [account.id],
    );
    const refusals = await Promise.all(['last', 'more'].map((name) => refusalOf(make(name))));
    expect(refusals.sort()).toEqual(['too-many-api-keys', undefined]);
    expect(await refusalOf(make('more still'))).toBe('too-many-api-keys');
    await accounts.makeKey(account);
    expect(await keyNames()).toHaveLength(50);
  });

  it('ends alone when it is revoked, once, and only by its own account', async () => {
    const [revoked, other] = [await make('one'), await make('two')];
    const stranger = await accounts.register();
    expect(await revoke(revoked.id, stranger.id)).toBe('api-key-not-found');
    expect(await revoke(revoked.id)).toBeUndefined();
    expect([await accounts.opens(revoked), await accounts.opens(other)]).toEqual([false, true]);
    expect(await revoke(revoked.id)).toBe('api-key-not-found');
    const before = { id: Number(revoked.id), name: 'one', expires_at: null };
    expect((await accounts.eventsOf(account)).at(-1)).toMatchObject({ type: 'api-key-revoked', before });
    expect((await accounts.rowOf(account)).api_key_generated_at).toEqual(other.createdAt);
    expect(await revoke(other.id)).toBeUndefined();
    expect((await accounts.rowOf(account)).api_key_generated_at).toBeNull();
  });
});

describe('a session that has ended', () => {
  it.each([
    ['by itself', () => logOut(accounts.context, account, { id: account.tokenId, all: false })],
    ['with all access', () => endAccountAccess(accounts.context, account.id)],
  ])('makes no key: %s', async (_case, end) => {
    await end();
    await expect(accounts.makeKey(account)).rejects.toThrow('the session has ended');
    expect(await keyNames()).toEqual([]);
    expect(await accounts.mailsOf(account)).toEqual(['verification-mail']);
  });

  it('leaves no key that it made at the same moment when all access is ended', async () => {
    const making = Array.from({ length: 5 }, () => accounts.makeKey(account).catch(() => undefined));
    await Promise.all([endAccountAccess(accounts.context, account.id), ...making]);
    expect(await keyNames()).toEqual([]);
  });
});

describe('an account that asks for its password', () => {
  beforeEach(async () => {
    await accounts.query(`UPDATE accounts SET preferences = '{"confirm_keys": true}' WHERE id = $1`, [account.id]);
  });

  const provenHash = () => accounts.passwordHashOf(account);

  it('makes keys for a caller who has proved it alone', async () => {
    expect(await refusalOf(make('guarded'))).toBe('password-needed');
    expect(await refusalOf(make('guarded', { provenHash: 'another hash' }))).toBe('current-password-wrong');
    expect(await keyNames()).toEqual([]);
    await make('guarded', { provenHash: await provenHash() });
  });

  it('makes none with a password that has just been changed', async () => {
    const proved = await provenHash();
    const reset = {
      callerTokenId: account.tokenId,
      currentPassword: account.password,
      newPassword: 'a newer password',
    };
    const [, key] = await Promise.all([
      resetPassword(accounts.context, { ...account, ...reset }),
      make('raced', { provenHash: proved }).catch(() => undefined),
    ]);
    const types = (await accounts.typesOf(account)).slice(2);
    expect(types).toEqual(key === undefined ? ['password-changed'] : ['api-key-created', 'password-changed']);
    expect(await refusalOf(make('late', { provenHash: proved }))).toBe('current-password-wrong');
  });
});
