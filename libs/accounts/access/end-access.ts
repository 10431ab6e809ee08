import { logEvents, singleEvent } from '#events/log-events.js';
import type { Tx } from '#platform/database/database.js';
import type { Cause } from '../events/account-event.js';
import { eventCauseOf } from '../events/event-cause.js';
import { recordEvents } from '../events/record-events.js';
import { deleteAccessTokens } from './access-repository.js';
import { dateNewestKey, deleteApiKeys } from './api-key-repository.js';

/** Of a webhook endpoint that was disabled with all other access. */
export const ACCESS_ENDED = 'access-ended';

interface EndedEndpoint {
  readonly id: bigint;
  readonly url: string;
}

/**
 * Whoever had access may have made an endpoint, which carries every later event. Deliveries and cursor stay where they are,
 * so `enable` goes on from there; a delivery under way writes nothing any more.
 */
async function disableWebhookEndpoints(tx: Tx, accountId: bigint, cause: Cause): Promise<EndedEndpoint[]> {
  const ended = await tx.$queryRaw<EndedEndpoint[]>`
    SELECT id, url FROM webhook_endpoints WHERE account_id = ${accountId} AND state <> 'disabled' ORDER BY id FOR UPDATE`;
  if (ended.length === 0) return [];
  await tx.$executeRaw`
    UPDATE webhook_endpoints
       SET state = 'disabled', disabled_reason = ${ACCESS_ENDED}, version = version + 1, updated_at = now()
     WHERE account_id = ${accountId} AND state <> 'disabled'`;
  const extra = { disabled_reason: ACCESS_ENDED };
  const events = ended.map(({ id }) => ({ kind: 'webhook.disabled', ref: id, extra }) as const);
  for (const event of events) logEvents(tx, singleEvent(accountId, eventCauseOf(cause), event));
  return ended;
}

/**
 * Ends all access to the account, and records it: sessions with their streams, API keys, webhook endpoints. A trigger tells
 * all processes with the commit; `announcing` lets the caller wait until they have heard it.
 */
export async function endAccess(tx: Tx, accountId: bigint, cause: Cause): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`;
  const sessions = await deleteAccessTokens(tx, accountId);
  const apiKeys = await deleteApiKeys(tx, accountId);
  if (apiKeys.length > 0) await dateNewestKey(tx, accountId, new Date());
  const endpoints = await disableWebhookEndpoints(tx, accountId, cause);
  const before = {
    sessions,
    api_keys: apiKeys.map(({ id, name }) => ({ id: Number(id), name })),
    webhook_endpoints: endpoints.map(({ id, url }) => ({ id: Number(id), url })),
  };
  await recordEvents(tx, cause, [{ accountId, type: 'access-ended', before }]);
}
