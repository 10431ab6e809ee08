import { isAdmin } from './session.js';

// Admins look into other accounts by `?account=7` in the address.

/** The other account that the address names, for admins; undefined: the account's own ledger. */
export function seenAccount(query: Readonly<Record<string, string>>): number | undefined {
  const id = Number(query.account);
  return isAdmin() && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** For links, which keep the account that an admin looks into. */
export const accountQuery = (account: number | undefined): string =>
  account === undefined ? '' : `?account=${account}`;
