import { type EventCause, type StoredActor, storedActor } from '#events/event-cause.js';
import type { Actor, Cause } from './account-event.js';

function actorOf({ type, account_id: accountId, api_key_id: apiKeyId, name }: Actor): StoredActor {
  if (type === 'command') return `command:${name}`;
  if (type === 'unknown' || accountId === null) return 'unknown';
  const ids = { accountId: BigInt(accountId), apiKeyId: apiKeyId === null ? undefined : BigInt(apiKeyId) };
  return storedActor(type === 'admin' ? 'admin' : 'account', ids);
}

/** The cause of an account event, as the event log names it: by ids alone. */
export const eventCauseOf = ({ actor, requestId }: Cause): EventCause => ({ actor: actorOf(actor), requestId });
