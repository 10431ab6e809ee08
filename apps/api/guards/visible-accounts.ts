import type { Caller } from '#accounts/access/authenticator.js';

/**
 * The accounts whose rows a list may show: `account_ids` narrows what the caller may see, which is its own account, and
 * every one for an admin. Who names none sees its own.
 */
export function visibleAccounts({ account }: Caller, named: readonly bigint[] | undefined): readonly bigint[] {
  if (named === undefined) return [account.accountId];
  return account.role === 'admin' ? named : named.filter((id) => id === account.accountId);
}

/** No account has it: whatever is looked for there is not found. */
const NOWHERE = 0n;

/** The same for what is read of one account. */
export function visibleAccount(caller: Caller, named: bigint | undefined): bigint {
  const [accountId = NOWHERE] = visibleAccounts(caller, named === undefined ? undefined : [named]);
  return accountId;
}
