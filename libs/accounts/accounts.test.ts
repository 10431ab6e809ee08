import { describe, expect, it } from '@jest/globals';
import { type OpenAccount, refusalOf, useAccounts } from '#testing/accounts-fixture.js';
import type { AccountChanges } from './account.js';
import { changeAccount, changeOwnPreferences, endAccountAccess, readAccount } from './accounts.js';
import { appointAdmin } from './admin-appointment.js';
import { resetPassword } from './password-changes.js';
import { logOut } from './sessions.js';

const accounts = useAccounts();

const change = (id: bigint, changes: AccountChanges) => changeAccount(accounts.context, id, changes);
const refusalOfChange = (id: bigint, changes: AccountChanges) => refusalOf(change(id, changes));

/** What the event log of the account says beside kinds and ids. */
const logOf = async ({ id }: OpenAccount) =>
  (await accounts.query('SELECT extras FROM event_groups WHERE account_id = $1 ORDER BY last_seq', [id])).map(
    ({ extras }) => extras,
  );

/** No admin but these new ones. */
async function onlyAdmins(count: number): Promise<OpenAccount[]> {
  await accounts.query(`UPDATE accounts SET role = 'business' WHERE role = 'admin'`);
  const admins = await Promise.all(Array.from({ length: count }, () => accounts.register()));
  for (const { id } of admins) await change(id, { role: 'admin' });
  return admins;
}

describe('changing an account', () => {
  it('changes what is given, replaces preferences as a whole, and says so before and after', async () => {
    const account = await accounts.register();
    const preferences = { allow_negative_balance: true, theme: 'dark' };
    const after = await change(account.id, { name: 'Renamed', preferences, status: 'suspended' });
    expect(after).toMatchObject({ name: 'Renamed', preferences, status: 'suspended', role: 'business' });
    expect(await readAccount(accounts.database.shared, account.id)).toEqual(after);
    expect((await change(account.id, { preferences: { theme: 'light' } })).preferences).toEqual({ theme: 'light' });
    expect((await accounts.eventsOf(account)).slice(1)).toMatchObject([
      { type: 'name-changed', before: { name: account.name }, after: { name: 'Renamed' }, request_id: 'request' },
      { type: 'preferences-changed', before: { preferences: {} }, after: { preferences } },
      { type: 'status-changed', before: { status: 'active' }, after: { status: 'suspended' } },
      { type: 'preferences-changed', before: { preferences }, after: { preferences: { theme: 'light' } } },
    ]);
    expect(await logOf(account)).toEqual([
      { 0: { name: 'Renamed', preferences, status: 'suspended' } },
      { 0: { preferences: { theme: 'light' } } },
    ]);
  });

  it('says nothing when nothing is different', async () => {
    const account = await accounts.register();
    await change(account.id, { name: account.name, status: 'active', role: 'business' });
    expect(await accounts.typesOf(account)).toEqual(['registered']);
    expect(await logOf(account)).toEqual([]);
  });

  it('knows no account that does not exist', async () => {
    expect(await refusalOfChange(999_999n, { name: 'x' })).toBe('account-not-found');
    expect(await refusalOf(readAccount(accounts.database.shared, 999_999n))).toBe('account-not-found');
    expect(await refusalOf(endAccountAccess(accounts.context, 999_999n))).toBe('account-not-found');
  });
});

describe('the last active admin', () => {
  it('keeps its role and is not suspended', async () => {
    const [admin] = await onlyAdmins(1);
    const id = admin?.id ?? 0n;
    expect(await refusalOfChange(id, { role: 'business' })).toBe('last-admin');
    expect(await refusalOfChange(id, { status: 'suspended' })).toBe('last-admin-active');
    expect(await refusalOfChange(id, { role: 'admin', name: 'Still' })).toBeUndefined();
  });

  it('is not the one of two whose other is suspended', async () => {
    const [admin, suspended] = await onlyAdmins(2);
    await change(suspended?.id ?? 0n, { status: 'suspended' });
    expect(await refusalOfChange(admin?.id ?? 0n, { role: 'business' })).toBe('last-admin');
    expect(await refusalOfChange(admin?.id ?? 0n, { status: 'suspended' })).toBe('last-admin-active');
    expect(await refusalOfChange(suspended?.id ?? 0n, { role: 'business' })).toBeUndefined();
    expect(await refusalOfChange(admin?.id ?? 0n, { role: 'business' })).toBe('last-admin');
  });

  it.each([
    ['give up the role', { role: 'business' }, 'last-admin'],
    ['are suspended', { status: 'suspended' }, 'last-admin-active'],
  ] as const)('is left when all %s at the same moment, without a deadlock', async (_case, changes, refusal) => {
    const admins = await onlyAdmins(4);
    const twice = [...admins, ...admins.toReversed()];
    const refusals = await Promise.all(twice.map(({ id }) => refusalOfChange(id, changes)));
    expect(refusals.filter((found) => found !== undefined && found !== refusal)).toEqual([]);
    const left = await accounts.query(`SELECT id FROM accounts WHERE role = 'admin' AND status = 'active'`);
    expect(left).toHaveLength(1);
  });
});

describe('the preferences that an account sets itself', () => {
  const USUAL = { allow_negative_balance: false };
  const set = async (
    { id, operatorId, tokenId }: OpenAccount & { tokenId: bigint },
    changed: Parameters<typeof changeOwnPreferences>[1]['changed'],
    provenHash?: string,
  ) => changeOwnPreferences(accounts.context, { accountId: id, operatorId, tokenId, changed, provenHash });
  const hashOf = (account: OpenAccount) => accounts.passwordHashOf(account);

  it('ask for the password at will, and no longer only with the password', async () => {
    const account = await accounts.registerAndLogIn();
    const on = { ...USUAL, confirm_keys: true };
    expect(await set(account, { confirm_keys: true })).toEqual(on);
    expect(await refusalOf(set(account, { confirm_keys: false }))).toBe('password-needed');
    expect(await refusalOf(set(account, { confirm_keys: false }, 'another hash'))).toBe('current-password-wrong');
    expect(await refusalOf(accounts.makeKey(account))).toBe('password-needed');
    expect(await set(account, { confirm_keys: false }, await hashOf(account))).toEqual({
      ...USUAL,
      confirm_keys: false,
    });
    await accounts.makeKey(account);
    const changes = (await accounts.eventsOf(account)).filter(({ type }) => type === 'preferences-changed');
    expect(changes).toMatchObject([
      { before: { preferences: USUAL }, after: { preferences: on } },
      { before: { preferences: on }, after: { preferences: { confirm_keys: false } } },
    ]);
  });

  it('leave what admins have set, and hold the amount above which the console asks', async () => {
    const account = await accounts.registerAndLogIn();
    const own = { allow_negative_balance: true, theme: 'dark' };
    await change(account.id, { preferences: own });
    expect(await set(account, { confirm_amounts_above: 250.5 })).toEqual({ ...own, confirm_amounts_above: 250.5 });
    expect(await set(account, {})).toEqual({ ...own, confirm_amounts_above: 250.5 });
    expect(await set(account, { confirm_amounts_above: null })).toEqual(own);
    expect((await readAccount(accounts.database.shared, account.id)).preferences).toEqual(own);
  });

  it('do not change for a session that has ended, nor with a password that is an old one', async () => {
    const account = await accounts.registerAndLogIn();
    await set(account, { confirm_keys: true });
    const proved = await hashOf(account);
    const [callerTokenId, newPassword] = [account.tokenId, 'a newer password'];
    const reset = { ...account, callerTokenId, currentPassword: account.password, newPassword };
    await resetPassword(accounts.context, reset);
    expect(await refusalOf(set(account, { confirm_keys: false }, proved))).toBe('current-password-wrong');
    await logOut(accounts.context, account, { id: account.tokenId, all: false });
    expect(await set(account, { confirm_keys: false }, await hashOf(account))).toBeUndefined();
    expect((await readAccount(accounts.database.shared, account.id)).preferences).toEqual({
      ...USUAL,
      confirm_keys: true,
    });
  });
});

describe('ending all access', () => {
  const addEndpoint = async ({ id }: OpenAccount) =>
    accounts.query(
      `INSERT INTO webhook_endpoints (account_id, url, mode, types, cursor_seq, secret_now)
       VALUES ($1, 'https://hooks.example/1', 'ordered', '{*}', 0, '00000000:' || repeat('x', 70))`,
      [id],
    );

  it('ends sessions, API keys and webhook endpoints of that account alone, and names them', async () => {
    const [account, bystander] = [await accounts.registerAndLogIn(), await accounts.registerAndLogIn()];
    const [key, kept] = [await accounts.makeKey(account), await accounts.makeKey(bystander)];
    for (const owner of [account, bystander]) await addEndpoint(owner);
    await endAccountAccess(accounts.context, account.id);
    expect([await accounts.opens(account.token), await accounts.opens(key)]).toEqual([false, false]);
    expect([await accounts.opens(bystander.token), await accounts.opens(kept)]).toEqual([true, true]);
    expect((await accounts.rowOf(account)).api_key_generated_at).toBeNull();
    const endpoints = await accounts.query(
      'SELECT state, disabled_reason FROM webhook_endpoints WHERE account_id = ANY ($1) ORDER BY account_id',
      [[account.id, bystander.id]],
    );
    expect(endpoints).toMatchObject([{ state: 'disabled', disabled_reason: 'access-ended' }, { state: 'active' }]);
    expect((await accounts.eventsOf(account)).at(-1)).toMatchObject({
      type: 'access-ended',
      before: {
        sessions: 1,
        api_keys: [{ id: Number(key.id), name: 'default' }],
        webhook_endpoints: [{ url: 'https://hooks.example/1' }],
      },
    });
    expect(await logOf(account)).toEqual([{ 0: { disabled_reason: 'access-ended' } }]);
  });
});

describe('appointing an admin', () => {
  const appoint = (email: string, isVouchedFor = false) => appointAdmin(accounts.database, { email, isVouchedFor });

  it('takes a proved e-mail, or a person who vouches for it, and ends all access', async () => {
    const account = await accounts.registerAndLogIn();
    expect(await appoint(account.email)).toBe('unproved');
    await accounts.query('UPDATE accounts SET email_verified_at = now() WHERE id = $1', [account.id]);
    expect(await appoint(account.email)).toBe('unproved');
    expect(await accounts.opens(account.token)).toBe(true);
    expect(await appoint(account.email.toUpperCase(), true)).toBe('appointed');
    expect(await accounts.opens(account.token)).toBe(false);
    expect((await readAccount(accounts.database.shared, account.id)).role).toBe('admin');
    const actor = { type: 'command', account_id: null, api_key_id: null, name: 'make-admin' };
    expect((await accounts.eventsOf(account)).slice(2)).toMatchObject([
      { type: 'role-changed', actor, before: { role: 'business' }, after: { role: 'admin', vouched: true } },
      { type: 'access-ended', actor, before: { sessions: 1 } },
    ]);
    const proved = await accounts.register();
    await accounts.query('UPDATE accounts SET email_proved_at = now() WHERE id = $1', [proved.id]);
    expect(await appoint(proved.email)).toBe('appointed');
    expect(await appoint('nobody@example.com', true)).toBe('unknown');
  });
});
