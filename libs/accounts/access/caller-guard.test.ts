import { beforeEach, describe, expect, it } from '@jest/globals';
import { type OpenAccount, refusalOf, type Session, useAccounts } from '#testing/accounts-fixture.js';
import { countLockWaits } from '#testing/databases.js';
import { waitFor } from '#testing/wait-for.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { changeOwnPreferences } from '../accounts.js';
import { changeOperator, inviteOperator, removeOperator } from '../operators/manage-operators.js';

const accounts = useAccounts();
let account: OpenAccount & Session;
let credential: { readonly accountId: bigint; readonly operatorId: bigint; readonly tokenId: bigint };

beforeEach(async () => {
  account = await accounts.registerAndLogIn();
  const { accountId, operatorId, tokenId } = account;
  credential = { accountId, operatorId, tokenId };
});

/** Makes a change under the lock of the account, which the work waits for. */
async function meanwhile<Result>(sql: string, work: () => Promise<Result>): Promise<Result> {
  return withPostgresClient({ connectionString: accounts.environment.database.url }, async (other) => {
    await other.query('BEGIN');
    await other.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [account.id]);
    const working = work();
    working.catch(() => undefined);
    await waitFor(async () => (await countLockWaits(accounts.environment.database)) > 0);
    await other.query(`UPDATE operators SET ${sql} WHERE account_id = $1`, [account.id]);
    await other.query('COMMIT');
    return working;
  });
}

/** The refusal; `undefined` when the credential has ended. */
const works: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['preferences', () => changeOwnPreferences(accounts.context, { ...credential, changed: {}, provenHash: undefined })],
  [
    'an invitation',
    () => inviteOperator(accounts.context, credential, { email: 'bob@example.com', name: 'Bob', role: 'owner' }),
  ],
  [
    'a change of a person',
    () => changeOperator(accounts.context, credential, { operatorId: account.operatorId, name: 'Another' }),
  ],
  ['a deletion of a person', () => removeOperator(accounts.context, credential, account.operatorId)],
];

describe('a change of access', () => {
  it.each([
    ['is suspended', `state = 'suspended'`, undefined],
    ['is deleted', `state = 'deleted', password_hash = NULL`, undefined],
    ['has another role', `role = 'settler'`, 'role-forbids'],
  ])('is refused to a person who %s after the request began', async (_case, sql, refusal) => {
    for (const [name, work] of works) {
      const before = await accounts.eventsOf(account);
      const outcome = meanwhile(sql, work);
      expect([name, await outcome.catch((error) => error.code)]).toEqual([name, refusal]);
      expect([name, await accounts.eventsOf(account)]).toEqual([name, before]);
      await accounts.query(`UPDATE operators SET state = 'active', role = 'owner' WHERE account_id = $1`, [account.id]);
    }
  });

  it('is refused to a key whose maker has another role or is suspended by then', async () => {
    const key = await accounts.makeKey(account);
    const byKey = { accountId: account.id, operatorId: account.operatorId, tokenId: undefined, apiKeyId: key.id };
    const change = () =>
      changeOwnPreferences(accounts.context, { ...byKey, changed: { confirm_keys: true }, provenHash: undefined });
    expect(await refusalOf(meanwhile(`role = 'viewer'`, change))).toBe('role-forbids');
    expect(await meanwhile(`role = 'owner', state = 'suspended'`, change)).toBeUndefined();
    expect(await meanwhile(`state = 'active'`, change)).toMatchObject({ confirm_keys: true });
  });

  it('takes no password that was changed after it was proved', async () => {
    const provenHash = await accounts.passwordHashOf(account);
    await accounts.query(`UPDATE accounts SET preferences = '{"confirm_keys": true}' WHERE id = $1`, [account.id]);
    const make = () => accounts.makeKey(account, { provenHash });
    expect(await refusalOf(meanwhile(`password_hash = 'changed'`, make))).toBe('current-password-wrong');
    await accounts.query('UPDATE operators SET password_hash = $2 WHERE id = $1', [account.operatorId, provenHash]);
    await make();
  });
});
