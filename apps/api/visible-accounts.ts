import type { Caller } from '#access/authenticator.js';

/**
 * The accounts whose bets a list may show: `account_ids` narrows what the caller may see, which is its own account, and
 * every one for an admin. Who names none sees its own.
 */
export function visibleAccounts({ account }: Caller, named: readonly bigint[] | undefined): readonly bigint[] {
  if (named === undefined) return [account.accountId];
  return account.role === 'admin' ? named : named.filter((id) => id === account.accountId);
}
