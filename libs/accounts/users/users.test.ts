import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EventCause } from '#events/event-cause.js';
import { withTx } from '#platform/database/database.js';
import { refusalOf, useAccounts } from '#testing/accounts-fixture.js';
import type { NewUser, UserChanges, UserKey } from './user.js';
import { changeUser, createUser, readUser } from './users.js';

const accounts = useAccounts();
let [accountId, otherId] = [0n, 0n];

const cause: EventCause = { actor: 'account:1', requestId: 'request' };

beforeAll(async () => {
  accountId = (await accounts.register()).id;
  otherId = (await accounts.register()).id;
});

const create = (user: Partial<NewUser>, owner = accountId) =>
  withTx(accounts.database.of(owner), (tx) =>
    createUser(
      tx,
      { accountId: owner, cause },
      { name: 'Ann', reference: undefined, preferences: null, meta: null, ...user },
    ),
  );
const change = (key: UserKey, changes: UserChanges, owner = accountId) =>
  withTx(accounts.database.of(owner), (tx) => changeUser(tx, { accountId: owner, cause }, key, changes));
const read = (key: UserKey, owner = accountId) => readUser(accounts.database.of(owner), owner, key);
/** What the newest event of the account says. */
const lastExtra = async () =>
  (await accounts.query('SELECT extras FROM event_groups WHERE account_id = $1 ORDER BY last_seq DESC', [accountId]))[0]
    ?.extras;

describe('a new user', () => {
  it('has a balance of nothing and its defaults, by id and by reference, and is logged', async () => {
    const { id, createdAt } = await create({ reference: 'ann' });
    const user = await read({ id });
    expect(user).toEqual({
      accountId,
      id,
      reference: 'ann',
      name: 'Ann',
      role: 'user',
      preferences: null,
      meta: null,
      balance: 0n,
      exposure: 0n,
      isDisputed: false,
      createdAt,
      updatedAt: expect.any(Date),
    });
    expect(await read({ reference: 'ann' })).toEqual(user);
    expect(await lastExtra()).toEqual({ 0: { reference: 'ann', name: 'Ann', preferences: null, meta: null } });
  });

  it('has a reference that names the account, unless one is given', async () => {
    const references = await Promise.all(Array.from({ length: 5 }, async () => (await create({})).reference));
    for (const reference of references) expect(reference).toMatch(new RegExp(`^a${accountId}_user_[a-z0-9]{16}$`));
    expect(new Set(references).size).toBe(5);
  });

  it('keeps meta and preferences as given', async () => {
    const given = { preferences: { allow_negative_balance: true, theme: 'dark' }, meta: { level: 'gold' } };
    const { id } = await create(given);
    expect(await read({ id })).toMatchObject(given);
  });

  it('has a reference of its own: exactly one of many at once wins, and other accounts may have the same', async () => {
    const refusals = await Promise.all(Array.from({ length: 8 }, () => refusalOf(create({ reference: 'dee' }))));
    expect(refusals.sort()).toEqual([...Array(7).fill('user-reference-taken'), undefined]);
    expect((await create({ reference: 'dee' }, otherId)).reference).toBe('dee');
    const balances = await accounts.query(
      'SELECT 1 FROM balances JOIN users u ON u.id = user_id WHERE u.account_id = $1 AND reference = $2',
      [accountId, 'dee'],
    );
    expect(balances).toHaveLength(1);
  });
});

describe('a user of another account', () => {
  it('is answered exactly as one that does not exist', async () => {
    const { id } = await create({ reference: 'mine' });
    for (const key of [{ id }, { reference: 'mine' }, { id: 999_999n }, { reference: 'nobody' }]) {
      expect(await refusalOf(read(key, otherId))).toBe('user-not-found');
      expect(await refusalOf(change(key, { name: 'Theirs', meta: { a: 'b' } }, otherId))).toBe('user-not-found');
    }
    expect(await read({ id })).toMatchObject({ name: 'Ann', meta: null });
  });
});

describe('changing a user', () => {
  it('changes only what is given, merges meta, replaces preferences, and is logged', async () => {
    const preferences = { allow_negative_balance: true, other: 1 };
    const { id, reference } = await create({ preferences, meta: { level: 'gold', country: 'se' } });
    const meta = { level: 'silver', country: 'se', city: 'lund' };
    const first = await change({ id }, { meta: { level: 'silver', city: 'lund' } });
    expect(first).toEqual({ id, reference, name: 'Ann', preferences, meta, updatedAt: expect.any(Date) });
    const replaced = { allow_negative_balance: false };
    const second = await change({ reference }, { name: 'Eva', preferences: replaced });
    expect(second).toMatchObject({ name: 'Eva', meta });
    expect(second.preferences).toEqual(replaced);
    expect(await lastExtra()).toEqual({ 0: { reference, name: 'Eva', preferences: replaced, meta } });
    expect((await change({ id }, { preferences: null })).preferences).toBeNull();
    expect(await read({ id })).toMatchObject({ name: 'Eva', preferences: null, meta });
  });

  it('loses no key of parallel changes, and refuses an eleventh with all that came with it', async () => {
    const { id } = await create({});
    const keys = Array.from({ length: 10 }, (_, index) => `key_${index}`);
    await Promise.all(keys.map((key) => change({ id }, { meta: { [key]: 'x' } })));
    const { meta } = await read({ id });
    expect(Object.keys(meta ?? {}).sort()).toEqual(keys.sort());
    expect(await refusalOf(change({ id }, { meta: { one_more: 'x' }, name: 'Not Ann' }))).toBe('meta-too-large');
    expect(await read({ id })).toMatchObject({ name: 'Ann', meta });
    expect((await change({ id }, { meta: { key_0: 'y' } })).meta).toEqual({ ...meta, key_0: 'y' });
  });
});
