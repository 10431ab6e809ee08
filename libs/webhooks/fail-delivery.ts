import { UNKNOWN_CAUSE } from '#events/event-cause.js';
import { logEvents, singleEvent } from '#events/log-events.js';
import { type RelaySoon, withOutbox } from '#jobs/outbox.js';
import { type Database, type Tx, withTx } from '#platform/database/database.js';
import { type Delivery, isHeld, type Lease, LeaseLost } from './delivery-rows.js';
import { writeAttempt } from './endpoint-rows.js';
import { DISABLED_AFTER_MS, type Retry, retryAfter, WARNED_AFTER_MS } from './schedule.js';
import type { WebhookResult } from './sender.js';
import type { DisabledReason } from './webhook-endpoint.js';

export interface FailedAttempt {
  readonly delivery: Delivery;
  readonly result: WebhookResult;
  readonly at: Date;
  readonly random: number;
}

export interface Failed extends Retry {
  readonly disabledReason: DisabledReason | undefined;
}

const GONE = 410;

interface FailingRow {
  readonly failingSince: Date | null;
  readonly warnedAt: Date | null;
}

const msBetween = (from: Date, to: Date): number => to.getTime() - from.getTime();

function disabledReasonOf({ result, at }: FailedAttempt, failingSince: Date): DisabledReason | undefined {
  if (result.status === GONE) return 'gone';
  return msBetween(failingSince, at) >= DISABLED_AFTER_MS ? 'failing' : undefined;
}

/** What another line has disabled meanwhile stays so. */
async function lockHeld(tx: Tx, lease: Lease): Promise<FailingRow> {
  const [row] = await tx.$queryRaw<FailingRow[]>`
    SELECT failing_since AS "failingSince", warned_at AS "warnedAt" FROM webhook_endpoints
     WHERE ${isHeld(lease)} AND state <> 'disabled' FOR NO KEY UPDATE`;
  if (row === undefined) throw new LeaseLost();
  return row;
}

/**
 * Writes when a delivery that has failed is tried again. After days it disables the endpoint, whose deliveries and cursor
 * stay as they are. The owner's mails and the event commit with it.
 */
export function failDelivery(
  { database, relaySoon }: { readonly database: Database; readonly relaySoon: RelaySoon },
  lease: Lease,
  failed: FailedAttempt,
): Promise<Failed> {
  const { accountId, id } = lease;
  const { delivery, result, at, random } = failed;
  const transact = <Result>(use: (tx: Tx) => Promise<Result>) => withTx(database.of(accountId), use);
  return withOutbox({ transact, relaySoon }, async (tx, addEntry) => {
    const { failingSince, warnedAt } = await lockHeld(tx, lease);
    const since = failingSince ?? at;
    const attempts = delivery.attempts + 1;
    const { status, retryAfterMs } = result;
    const retry = retryAfter({ attempts, status, retryAfterMs, at, failingSince: since, random });
    const disabledReason = disabledReasonOf(failed, since);
    const isWarned = disabledReason === undefined && warnedAt === null && msBetween(since, at) >= WARNED_AFTER_MS;
    await tx.$executeRaw`
      UPDATE webhook_deliveries SET attempts = ${attempts}, next_at = ${retry.at}, last_status = ${status},
                                    last_tried_at = ${at}
       WHERE account_id = ${accountId} AND endpoint_id = ${id} AND seq = ${delivery.seq}`;
    await writeAttempt(tx, lease, { ...result, seq: delivery.seq, at });
    await tx.$executeRaw`
      UPDATE webhook_endpoints
         SET state = ${disabledReason === undefined ? 'failing' : 'disabled'}, disabled_reason = ${disabledReason ?? null},
             failing_since = ${since}, warned_at = ${isWarned ? at : warnedAt}, not_before = greatest(not_before, ${retry.pausedUntil ?? null}::timestamptz)
       WHERE ${isHeld(lease)}`;
    const payload = { endpointId: String(id) };
    if (isWarned) await addEntry(accountId, 'webhook-failing-mail', payload);
    if (disabledReason !== undefined) {
      await addEntry(accountId, 'webhook-disabled-mail', payload);
      const extra = { disabled_reason: disabledReason };
      const cause = { ...UNKNOWN_CAUSE, actor: 'worker' } as const;
      logEvents(tx, singleEvent(accountId, cause, { kind: 'webhook.disabled', ref: id, extra }));
    }
    return { ...retry, disabledReason };
  });
}
