import type { Tx } from '#platform/database/database.js';
import type { Cause } from '../events/account-event.js';
import { recordEvents } from '../events/record-events.js';
import { deleteAccessTokens } from './access-repository.js';
import { dateNewestKey, deleteApiKeys } from './api-key-repository.js';

/**
 * Ends every session and every API key of the account, and records it. A trigger tells all processes with the commit;
 * `announcing` lets the caller wait until they have heard it.
 */
export async function endAccess(tx: Tx, accountId: bigint, cause: Cause): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`;
  const sessions = await deleteAccessTokens(tx, accountId);
  const apiKeys = await deleteApiKeys(tx, accountId);
  if (apiKeys.length > 0) await dateNewestKey(tx, accountId, new Date());
  const before = { sessions, api_keys: apiKeys.map(({ id, name }) => ({ id: Number(id), name })) };
  await recordEvents(tx, cause, [{ accountId, type: 'access-ended', before }]);
}
