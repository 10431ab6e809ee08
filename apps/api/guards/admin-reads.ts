import type { Request, Response } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import { causeOf } from '../call.js';
import type { ApiServices } from '../services.js';
import { visibleAccounts } from './visible-accounts.js';

interface Definition {
  readonly access: string;
  readonly path: string;
}

/** What the schemas have made of the fields of a read that name accounts. */
interface Named {
  readonly query?: { readonly account_id?: bigint; readonly account_ids?: readonly bigint[] } | undefined;
  readonly params?: { readonly id?: string } | undefined;
}

/** The routes of admins name an account in their path, all others in their query. */
function accountsIn({ access }: Definition, { query, params }: Named): readonly bigint[] {
  if (access === 'admin') return params?.id === undefined ? [] : [BigInt(params.id)];
  return [...(query?.account_ids ?? []), ...(query?.account_id === undefined ? [] : [query.account_id])];
}

/** Notes, before a read, the accounts of others that an admin looks into: they are told. */
export function noteAdminRead(
  definition: Definition,
  { notedEvents }: Pick<ApiServices, 'notedEvents'>,
  { request, response, named }: { readonly request: Request; readonly response: Response; readonly named: Named },
): void {
  const caller = request.user as Caller | undefined;
  if (caller?.account.role !== 'admin') return;
  for (const accountId of visibleAccounts(caller, accountsIn(definition, named))) {
    if (accountId === caller.account.accountId) continue;
    const after = { route: `GET ${definition.path}` };
    notedEvents.note({ accountId, type: 'admin-read', after, cause: causeOf(request, response, true) });
  }
}
