import type { Caller } from '#accounts/access/authenticator.js';
import type { Cause } from '#accounts/events/account-event.js';
import type { ApiServices } from '../services.js';

/** A suspended admin is a business like others, and so is one without the second factor that it needs. */
export const isActiveAdmin = ({ account, isAdminLocked }: Caller): boolean =>
  account.role === 'admin' && account.status === 'active' && !isAdminLocked;

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

interface Definition {
  readonly access: string;
  readonly path: string;
}

/** What the schemas have made of the fields of a read that name accounts. */
export interface Named {
  readonly query?: { readonly account_id?: bigint; readonly account_ids?: readonly bigint[] } | undefined;
  readonly params?: { readonly id?: string } | undefined;
}

/** The routes of admins name an account in their path, all others in their query. */
function accountsIn({ access }: Definition, { query, params }: Named): readonly bigint[] {
  if (access === 'admin') return params?.id === undefined ? [] : [BigInt(params.id)];
  return [...(query?.account_ids ?? []), ...(query?.account_id === undefined ? [] : [query.account_id])];
}

/** When an admin reads data of other accounts, the API notes an account event in each of them. */
export function noteAdminRead(
  definition: Definition,
  { notedEvents }: Pick<ApiServices, 'notedEvents'>,
  { caller, named, cause }: { readonly caller: Caller; readonly named: Named; readonly cause: Cause },
): void {
  for (const accountId of visibleAccounts(caller, accountsIn(definition, named))) {
    if (accountId === caller.account.accountId) continue;
    notedEvents.note({ accountId, type: 'admin-read', after: { route: `GET ${definition.path}` }, cause });
  }
}

/** Nobody has this id. */
const NOBODY = 0n;

/** The person whose sessions a caller may see and end; undefined: all people. An API key below the owner's role sees none. */
export function ownOperatorOf({ role, operator, apiKey }: Caller): bigint | undefined {
  if (role === 'owner') return undefined;
  return apiKey === undefined ? (operator?.id ?? NOBODY) : NOBODY;
}
