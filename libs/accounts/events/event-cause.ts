import { type EventCause, type StoredActor, storedActor } from '#events/event-cause.js';
import type { Actor, Cause } from './account-event.js';

function actorOf({
  type,
  account_id: accountId,
  api_key_id: apiKeyId,
  operator_id: operatorId,
  name,
}: Actor): StoredActor {
  if (type === 'command') return `command:${name}`;
  if (type === 'unknown' || accountId === null) return 'unknown';
  const idOf = (id: number | null) => (id === null ? undefined : BigInt(id));
  // The name of a key is another one than its operator's.
  const operator = operatorId === null ? undefined : { id: BigInt(operatorId), name: type === 'key' ? null : name };
  const parts = { accountId: BigInt(accountId), apiKeyId: idOf(apiKeyId), operator };
  return storedActor(type === 'admin' ? 'admin' : 'account', parts);
}

/** The cause of an account event, as the event log stores it. */
export const eventCauseOf = ({ actor, requestId }: Cause): EventCause => ({ actor: actorOf(actor), requestId });
