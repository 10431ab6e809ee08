import { createTurns } from '#http/limits/turns.js';
import type { ApiServices } from '../services.js';

/** In a cluster one holds the locks of the account, and another one writes the event before the change commits. */
const CONNECTIONS_OF_A_CHANGE = 2;
const WAITING = 500;
const WAIT_MS = 8_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Changes that lock the account and need a second connection meanwhile take turns: all that run at once must find theirs, or
 * they wait for each other until their time is up. Those of one account would wait for its lock anyway.
 */
export function createChangeTurns(databaseConnections: number): ApiServices['inChangeTurn'] {
  const atOnce = Math.max(1, Math.floor(databaseConnections / CONNECTIONS_OF_A_CHANGE));
  const ofAccount = createTurns({ atOnce: 1, waiting: WAITING, waitMs: WAIT_MS });
  const ofAll = createTurns({ atOnce, waiting: WAITING, waitMs: WAIT_MS });
  return (accountId, change) =>
    ofAccount(String(accountId), RETRY_AFTER_SECONDS, () => ofAll('all', RETRY_AFTER_SECONDS, change));
}
