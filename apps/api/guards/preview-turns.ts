import { createTurns } from '#http/limits/turns.js';
import type { UnreadAnswers } from '#http/unread-answers.js';
import type { QuotaUse } from '#platform/quotas/quota-use.js';
import { quotas } from '#platform/quotas/quotas.js';
import type { ApiServices } from '../services.js';

const MANY_CONNECTIONS = 10;
/** Of those that one preview waits for, each may take a second. */
const WAIT_MS = 5_000;
const RETRY_AFTER_SECONDS = 1;

/** How many previews are computed at once: each holds a connection. */
export const previewsAtOnce = (databaseConnections: number): number => (databaseConnections < MANY_CONNECTIONS ? 1 : 2);

/** Previews take turns of their own, because each may read 20,000 bets: lists wait for none of them. One of an account at once. */
export function createPreviewTurns(
  databaseConnections: number,
  unread: UnreadAnswers,
  quotaUse: QuotaUse,
): ApiServices['inPreviewTurn'] {
  const waits = { waiting: quotas.previews.whole, waitMs: WAIT_MS };
  const ofAccount = createTurns({ atOnce: 1, ...waits });
  const ofAll = createTurns({ atOnce: previewsAtOnce(databaseConnections), ...waits });
  return async (holder, compute) => {
    const release = quotaUse.take('previews', holder);
    const inTurn = () => {
      unread.assertRoom(holder.accountId);
      return compute();
    };
    return ofAccount(String(holder.accountId), RETRY_AFTER_SECONDS, () =>
      ofAll('all', RETRY_AFTER_SECONDS, inTurn),
    ).finally(release);
  };
}
