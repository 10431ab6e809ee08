import type { Caller } from '#accounts/access/authenticator.js';

/**
 * The accounts whose rows a list may show. A business sees its own account, an admin sees every account. `account_ids`
 * narrows that; without it, every caller sees its own account.
 */
export function visibleAccounts({ account }: Caller, named: readonly bigint[] | undefined): readonly bigint[] {
  if (named === undefined) return [account.accountId];
  return account.role === 'admin' ? named : named.filter((id) => id === account.accountId);
}

/** No account has this id, so a search in it finds nothing. */
const NOWHERE = 0n;

/** The same for reads of one account. */
export function visibleAccount(caller: Caller, named: bigint | undefined): bigint {
  const [accountId = NOWHERE] = visibleAccounts(caller, named === undefined ? undefined : [named]);
  return accountId;
}
