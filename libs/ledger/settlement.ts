import type { ChunkSettled } from '#core/decide-wager.js';
import { execute, needsOf } from '#core/operation.js';
import type { EventCause } from '#events/event-cause.js';
import type { AccountLocks } from '#jobs/account-lock.js';
import { findUndoneEntry, markDone, markWagerSettled, type OutboxEntry, type WagerEntryKey } from '#jobs/outbox.js';
import type { Database } from '#platform/database/database.js';
import { currentTraceId } from '#platform/logging/trace-context.js';
import { countPendingOf } from './pending-bets.js';
import type { Task } from './task.js';
import type { UnitOfWork } from './unit-of-work.js';

/** So many bets are decided before the statement that writes them starts: deciding them takes less time than writing. */
const PART_BETS = 250;

/** `busy`: another job of the account is at work. `more`: bets are left. */
type ChunkProgress =
  | { readonly state: 'busy' }
  | { readonly state: 'more' | 'done'; readonly settledCount: number; readonly total: number };

export interface Settlement {
  /**
   * Settles the next chunk of the wager's bets in one transaction. `total` is the number of bets that were pending before
   * the first chunk; undefined makes it count them.
   */
  settleChunk(job: WagerEntryKey, total: number | undefined): Promise<ChunkProgress>;
}

export interface SettlementOptions {
  readonly database: Database;
  readonly work: UnitOfWork;
  readonly locks: AccountLocks;
  /** How many bets move in one transaction. */
  readonly chunk: number;
}

/** Of the request that made the outbox entry. */
export const causeOfEntry = ({ payload }: OutboxEntry): EventCause => ({
  actor: 'worker',
  requestId: payload.requestId ?? null,
});

/**
 * A chunk as a group of tasks, each of which settles a part of it: the unit of work writes one part while the core decides
 * the next. The first task's needs load the bets of all parts.
 */
function chunkTasks({ accountId, wagerId }: WagerEntryKey, chunk: number, cause: EventCause): Task<ChunkSettled>[] {
  const needsOfChunk = needsOf({ type: 'settle_chunk', wagerId, bound: chunk });
  const parts = Array.from({ length: Math.ceil(chunk / PART_BETS) }, (_, index) =>
    Math.min(PART_BETS, chunk - index * PART_BETS),
  );
  return parts.map((bound, index) => ({
    accountId,
    needs: index === 0 ? [needsOfChunk] : [],
    run: (book) => execute(book, { type: 'settle_chunk', wagerId, bound }),
    traceId: currentTraceId(),
    cause,
  }));
}

/**
 * The worker's part of deciding a wager. The rows say what is settled, so a chunk that runs twice, or whose commit was not
 * confirmed, moves nothing twice; and the job of a later decision finds the work of an earlier one done.
 */
export function createSettlement({ database, work, locks, chunk }: SettlementOptions): Settlement {
  async function settleNext(job: WagerEntryKey, knownTotal: number | undefined): Promise<ChunkProgress> {
    const entry = await findUndoneEntry(database.of(job.accountId), job);
    const total = knownTotal ?? (entry === undefined ? 0 : await countPendingOf(database.of(job.accountId), job));
    if (entry === undefined) return { state: 'done', settledCount: 0, total };
    const results = await work.runWaiting(chunkTasks(job, chunk, causeOfEntry(entry)));
    const parts = results.map((result) => {
      if (result.kind !== 'done') throw new Error(`settling was ${result.kind}`);
      return result.answer as ChunkSettled;
    });
    const settledCount = parts.reduce((sum, part) => sum + part.settledCount, 0);
    const isComplete = parts.some((part) => part.isComplete);
    if (isComplete) {
      await markDone(database.of(job.accountId), job);
      await markWagerSettled(database.of(job.accountId), job);
    }
    return { state: isComplete ? 'done' : 'more', settledCount, total };
  }

  return {
    settleChunk: async (job, total) =>
      (await locks.tryHolding(job.accountId, () => settleNext(job, total))) ?? ({ state: 'busy' } as const),
  };
}
