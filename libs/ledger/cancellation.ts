import type { ChunkCanceled } from '#core/cancel-offer.js';
import { execute, needsOf } from '#core/operation.js';
import type { EventCause } from '#events/event-cause.js';
import type { AccountLocks } from '#jobs/account-lock.js';
import { findUndoneEntry, markDone, type WagerEntryKey } from '#jobs/outbox.js';
import type { Database } from '#platform/database/database.js';
import { currentTraceId } from '#platform/logging/trace-context.js';
import { causeOfEntry } from './settlement.js';
import { answersOf, type Task } from './task.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Offers that are canceled in one transaction. Only an offer of their user waits for it. */
const CHUNK = 1_000;
/** So many are decided before the statement that writes them starts. */
const PART = 250;

type CancellationProgress =
  | { readonly state: 'busy' }
  | { readonly state: 'more' | 'done'; readonly canceledCount: number };

export interface Cancellation {
  /** Cancels the next canceling offers of the wager whose cancel is pending, in one transaction. */
  cancelChunk(job: WagerEntryKey): Promise<CancellationProgress>;
}

export interface CancellationOptions {
  readonly database: Database;
  readonly work: UnitOfWork;
  readonly locks: AccountLocks;
}

/** A chunk is a group of tasks, each of which cancels a part of it: PostgreSQL writes one part while the core decides the next. */
function chunkTasks({ accountId, wagerId }: WagerEntryKey, cause: EventCause): Task<ChunkCanceled>[] {
  const operation = { type: 'cancel_chunk', wagerId, bound: PART } as const;
  return Array.from({ length: CHUNK / PART }, (_, index) => ({
    accountId,
    needs: index === 0 ? [needsOf(operation)] : [],
    run: (book) => execute(book, operation),
    traceId: currentTraceId(),
    cause,
  }));
}

/**
 * The worker's part of canceling. The wager's row says whose cancel is pending and the bets say which are canceled, so a
 * chunk that runs twice cancels nothing twice, and one job may find the work of another done.
 */
export function createCancellation({ database, work, locks }: CancellationOptions): Cancellation {
  async function cancelNext(job: WagerEntryKey): Promise<CancellationProgress> {
    const entry = await findUndoneEntry(database.of(job.accountId), job);
    if (entry === undefined) return { state: 'done', canceledCount: 0 };
    const results = await work.runWaiting(chunkTasks(job, causeOfEntry(entry)));
    const parts = answersOf<ChunkCanceled>(results, 'canceling');
    const canceledCount = parts.reduce((sum, part) => sum + part.canceledCount, 0);
    if (!parts.some(({ isComplete }) => isComplete)) return { state: 'more', canceledCount };
    await markDone(database.of(job.accountId), job);
    return { state: 'done', canceledCount };
  }

  return {
    cancelChunk: async (job) =>
      (await locks.tryHolding(job.accountId, () => cancelNext(job))) ?? ({ state: 'busy' } as const),
  };
}
