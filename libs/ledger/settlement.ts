import { Rejection } from '#core/rejection.js';
import type { ChunkSettled } from '#core/settle.js';
import type { AccountLocks } from '#jobs/account-lock.js';
import { type EntryKey, findUndoneEntry, markDone, markWagerSettled } from '#jobs/outbox.js';
import type { Database } from '#platform/database/database.js';
import { countPendingOf } from './load/pending-bets.js';
import { settlingTasks } from './task.js';
import type { UnitOfWork } from './unit-of-work.js';

export interface SettlementJob extends EntryKey {
  readonly wagerId: bigint;
}

/** `busy`: another job of the account is at work. `more`: bets are left. */
export type ChunkProgress =
  | { readonly state: 'busy' }
  | { readonly state: 'more' | 'done'; readonly settledCount: number; readonly total: number };

export interface Settlement {
  /**
   * Settles the next bets of the wager, in one transaction. `total` is how many there were before the first chunk:
   * undefined asks for it.
   */
  settleChunk(job: SettlementJob, total: number | undefined): Promise<ChunkProgress>;
}

export interface SettlementOptions {
  readonly database: Database;
  readonly work: UnitOfWork;
  readonly locks: AccountLocks;
  /** How many bets move in one transaction. */
  readonly chunk: number;
}

/**
 * The worker's part of deciding a wager. The rows say what is settled, so a chunk that runs twice, or whose commit
 * nobody heard of, moves nothing twice; and a job of a later decision finds the work of an earlier one done.
 */
export function createSettlement({ database, work, locks, chunk }: SettlementOptions): Settlement {
  async function settleNext(job: SettlementJob, knownTotal: number | undefined): Promise<ChunkProgress> {
    const isUndone = (await findUndoneEntry(database, job)) !== undefined;
    const total = knownTotal ?? (isUndone ? await countPendingOf(database, job) : 0);
    if (!isUndone) return { state: 'done', settledCount: 0, total };
    const results = await work.runWithRetry(settlingTasks(job.accountId, job.wagerId, chunk));
    const parts = results.map(({ value }) => {
      if (value instanceof Rejection) throw new Error(value.text);
      return value as ChunkSettled;
    });
    const settledCount = parts.reduce((sum, part) => sum + part.settledCount, 0);
    const isComplete = parts.some((part) => part.isComplete);
    if (isComplete) {
      await markDone(database, job);
      await markWagerSettled(database, job);
    }
    return { state: isComplete ? 'done' : 'more', settledCount, total };
  }

  return {
    settleChunk: async (job, total) =>
      (await locks.tryHolding(job.accountId, () => settleNext(job, total))) ?? ({ state: 'busy' } as const),
  };
}
