import { computed } from '@preact/signals';
import { address } from '../shell/router.js';
import { isAdmin, session } from './session.js';

// Admins look into other accounts by `?account=7` in the address. Every link of the page and every read keeps it.

/** The other account that the whole page looks into, for admins; undefined: the account's own ledger. */
export const viewedAccount = computed(() => {
  const id = Number(Object.fromEntries(new URL(address.value, location.origin).searchParams).account);
  const isOther = isAdmin() && Number.isSafeInteger(id) && id > 0 && id !== session.value?.account.id;
  return isOther ? id : undefined;
});

/** These name accounts by a list. */
const BY_LIST: readonly string[] = ['/wagers', '/bets/history', '/bets/open-bets', '/account-events'];
/** These know the caller's own account, or find the account by themselves. */
const WITHOUT_ACCOUNT = /^\/(?:auth|admin|previews|sandbox|account\/sandboxes|operators\/me|change-requests\/)/;
/** What an admin may change from the page of another account. */
const CHANGES_OF_ADMINS = /^\/(?:auth|admin|previews|change-requests)\b/;

interface Given {
  readonly params?: { readonly query?: object };
}

/** A request about the account that the page looks into. A change of the admin's own ledger would surprise: none is sent. */
export function ofViewedAccount<Options extends Given>(method: string, path: string, given: Options): Options {
  const account = viewedAccount.peek();
  if (account === undefined) return given;
  if (method !== 'get') {
    if (CHANGES_OF_ADMINS.test(path)) return given;
    throw new Error(`The page looks into account ${account}: it sends no ${method} ${path}`);
  }
  if (WITHOUT_ACCOUNT.test(path)) return given;
  const named = BY_LIST.includes(path) ? { account_ids: [account] } : { account_id: account };
  return { ...given, params: { ...given.params, query: { ...named, ...given.params?.query } } };
}
