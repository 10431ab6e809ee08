import type { Caller } from '../access/authenticator.js';
import { type Actor, ownerOf } from './account-event.js';

/** A caller is an admin on the routes that only admins may call. */
export function actorOfCaller({ account, apiKey }: Caller, isAdmin: boolean): Actor {
  const owner = ownerOf({ id: account.accountId, email: account.email });
  const byKey = apiKey === undefined ? owner : { ...owner, api_key_id: Number(apiKey.id) };
  if (isAdmin) return { ...byKey, type: 'admin' };
  return apiKey === undefined ? owner : { ...byKey, type: 'key', name: apiKey.name };
}
