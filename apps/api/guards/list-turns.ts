import { setTimeout as delay } from 'node:timers/promises';
import { createTurns } from '#http/limits/turns.js';
import type { UnreadAnswers } from '#http/unread-answers.js';
import type { QuotaUse } from '#platform/quotas/quota-use.js';
import type { ApiServices } from '../services.js';
import { previewsAtOnce } from './preview-turns.js';

/** A list reads its page and its total at the same time. */
const CONNECTIONS_OF_A_LIST = 2;
const AT_ONCE_OF_AN_ACCOUNT = 2;
const WAITING = 500;
const WAIT_MS = 8_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * A search through a million users holds its database connections for as long as it runs. Lists take turns, per account
 * and overall, so that beside previews at least two connections are always left for logins and bets.
 */
export function createListTurns(
  databaseConnections: number,
  unread: UnreadAnswers,
  quotas: QuotaUse,
): ApiServices['inListTurn'] {
  const left = databaseConnections - previewsAtOnce(databaseConnections) - 2;
  const atOnce = Math.max(1, Math.floor(left / CONNECTIONS_OF_A_LIST));
  const ofAccount = createTurns({ atOnce: AT_ONCE_OF_AN_ACCOUNT, waiting: WAITING, waitMs: WAIT_MS });
  const ofAll = createTurns({ atOnce, waiting: WAITING, waitMs: WAIT_MS });
  return async (holder, read) => {
    const { accountId } = holder;
    const release = quotas.take('lists', holder);
    const inTurn = () => {
      unread.assertRoom(accountId);
      return read();
    };
    return ofAccount(String(accountId), RETRY_AFTER_SECONDS, async () => {
      const waitMs = unread.waitOf(accountId);
      if (waitMs > 0) await delay(waitMs);
      return ofAll('all', RETRY_AFTER_SECONDS, inTurn);
    }).finally(release);
  };
}
