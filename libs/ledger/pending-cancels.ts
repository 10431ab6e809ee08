import type { OddsMicros } from '#core/money.js';
import type { OfferEndReason, PendingCancel } from '#core/records.js';

/** An item of `wagers.pending_cancels`. All numbers are below 2^53. */
interface StoredPendingCancel {
  readonly position: number;
  /** Null: offers of every user. */
  readonly user_id: number | null;
  readonly minimum_odds: number | null;
  readonly maximum_odds: number | null;
  readonly queue_place: number;
  readonly bet_id: number;
  /** Left out: all offers of these odds. */
  readonly only_on_suspend?: true;
  readonly reason?: OfferEndReason;
}

export const storedPendingCancel = ({
  position,
  userId,
  minimumOdds,
  maximumOdds,
  onlyOnSuspend,
  reason,
  upTo,
}: PendingCancel): StoredPendingCancel => ({
  position: Number(position),
  user_id: userId === null ? null : Number(userId),
  minimum_odds: minimumOdds === null ? null : Number(minimumOdds),
  maximum_odds: maximumOdds === null ? null : Number(maximumOdds),
  queue_place: Number(upTo.queuePlace),
  bet_id: Number(upTo.id),
  ...(onlyOnSuspend && { only_on_suspend: true }),
  ...(reason !== null && { reason }),
});

const oddsOf = (stored: number | null) => (stored === null ? null : (BigInt(stored) as OddsMicros));

export const pendingCancelOf = (stored: StoredPendingCancel): PendingCancel => ({
  position: BigInt(stored.position),
  userId: stored.user_id === null ? null : BigInt(stored.user_id),
  minimumOdds: oddsOf(stored.minimum_odds),
  maximumOdds: oddsOf(stored.maximum_odds),
  onlyOnSuspend: stored.only_on_suspend ?? false,
  reason: stored.reason ?? null,
  upTo: { queuePlace: BigInt(stored.queue_place), id: BigInt(stored.bet_id) },
});

/** Null: none, so that an index finds the few wagers that have some. */
export const pendingCancelsJson = (cancels: readonly PendingCancel[]): string | null =>
  cancels.length === 0 ? null : JSON.stringify(cancels.map(storedPendingCancel));
