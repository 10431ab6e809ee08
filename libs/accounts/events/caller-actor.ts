import type { Caller } from '../access/authenticator.js';
import type { Actor } from './account-event.js';

/** A caller is an admin on the routes that only admins may call. */
export const actorOfCaller = ({ account, apiKey, operator }: Caller, isAdmin: boolean): Actor => ({
  type: isAdmin ? 'admin' : apiKey === undefined ? 'account' : 'key',
  account_id: Number(account.accountId),
  api_key_id: apiKey === undefined ? null : Number(apiKey.id),
  operator_id: operator === undefined ? null : Number(operator.id),
  name: (isAdmin || apiKey === undefined ? operator?.name : apiKey.name) ?? null,
});
