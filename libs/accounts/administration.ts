import type { Database } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Account, AccountChanges } from './account.js';
import { findAccount, lockAdmins, updateAccount } from './administration-repository.js';
import type { AccountsContext } from './context.js';

export async function readAccount(database: Database, id: bigint): Promise<Account> {
  const account = await findAccount(database, id);
  if (account === undefined) throw new Refusal('account-unknown');
  return account;
}

/** Returns when every process has heard of it: a role that is taken away opens nothing any more. */
export async function changeAccount(
  { transact, changes: access }: AccountsContext,
  id: bigint,
  changes: AccountChanges,
): Promise<Account> {
  return access.announcing(id, () =>
    transact(async (transaction) => {
      if (changes.role === 'business') {
        const admins = await lockAdmins(transaction);
        if (admins.length === 1 && admins[0] === id) throw new Refusal('last-admin');
      }
      const changed = await updateAccount(transaction, id, changes);
      if (changed === undefined) throw new Refusal('account-unknown');
      return changed;
    }),
  );
}
