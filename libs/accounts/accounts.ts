import type { Database } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Account, AccountChanges } from './account.js';
import { findAccount, lockAdmins, updateAccount } from './account-repository.js';
import type { AccountsContext } from './accounts-context.js';

export async function readAccount(database: Database, id: bigint): Promise<Account> {
  const account = await findAccount(database, id);
  if (account === undefined) throw new Refusal('account-unknown');
  return account;
}

/** Returns after every process knows of the change, so that a removed role grants nothing afterwards. */
export async function changeAccount(
  { transact, changes: access }: AccountsContext,
  id: bigint,
  changes: AccountChanges,
): Promise<Account> {
  return access.announcing(id, () =>
    transact(async (tx) => {
      if (changes.role === 'business') {
        const admins = await lockAdmins(tx);
        if (admins.length === 1 && admins[0] === id) throw new Refusal('last-admin');
      }
      const changed = await updateAccount(tx, id, changes);
      if (changed === undefined) throw new Refusal('account-unknown');
      return changed;
    }),
  );
}
