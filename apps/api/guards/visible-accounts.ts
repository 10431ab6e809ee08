import type { Caller } from '#accounts/access/authenticator.js';

/** A suspended admin is a business like others. */
const isActiveAdmin = ({ account }: Caller): boolean => account.role === 'admin' && account.status === 'active';

/**
 * The accounts whose rows a list may show. A business sees its own account, an admin sees every account. `account_ids`
 * narrows that; without it, every caller sees its own account.
 */
export function visibleAccounts(caller: Caller, named: readonly bigint[] | undefined): readonly bigint[] {
  const { accountId } = caller.account;
  if (named === undefined) return [accountId];
  return isActiveAdmin(caller) ? named : named.filter((id) => id === accountId);
}

/** No account has this id, so a search in it finds nothing. */
const NOWHERE = 0n;

/** The same for reads of one account. */
export function visibleAccount(caller: Caller, named: bigint | undefined): bigint {
  const [accountId = NOWHERE] = visibleAccounts(caller, named === undefined ? undefined : [named]);
  return accountId;
}
