import { Rejection } from '#core/rejection.js';
import type { ChunkSettled } from '#core/settle.js';
import type { Database } from '#database/database.js';
import { countPendingOf } from '#ledger/pending-bets.js';
import { settlingTasks } from '#ledger/task.js';
import type { UnitOfWork } from '#ledger/unit-of-work.js';
import { type EntryKey, findUndoneEntry, markDone } from '#outbox/outbox.js';
import type { AccountLocks } from '#queues/account-lock.js';

export interface SettlementJob extends EntryKey {
  readonly wagerId: bigint;
}

/** `busy`: another job of the account is at work. `more`: bets are left. */
export type ChunkOutcome =
  | { readonly state: 'busy' }
  | { readonly state: 'more' | 'done'; readonly settledCount: number };

export interface Settlement {
  /** How many bets of the wager still have to move. */
  countLeft(job: SettlementJob): Promise<number>;
  /** Settles the next bets of the wager, in one transaction. */
  settleChunk(job: SettlementJob): Promise<ChunkOutcome>;
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
  async function settleNext(job: SettlementJob): Promise<ChunkOutcome> {
    if ((await findUndoneEntry(database, job)) === undefined) return { state: 'done', settledCount: 0 };
    const outcomes = await work.runPatiently(settlingTasks(job.accountId, job.wagerId, chunk));
    const slices = outcomes.map(({ result }) => {
      if (result instanceof Rejection) throw new Error(result.text);
      return result as ChunkSettled;
    });
    const settledCount = slices.reduce((sum, slice) => sum + slice.settledCount, 0);
    const isComplete = slices.some((slice) => slice.isComplete);
    if (isComplete) await markDone(database, job);
    return { state: isComplete ? 'done' : 'more', settledCount };
  }

  return {
    countLeft: ({ accountId, wagerId }) => countPendingOf(database, { accountId, wagerId }),
    settleChunk: async (job) =>
      (await locks.tryHolding(job.accountId, () => settleNext(job))) ?? ({ state: 'busy' } as const),
  };
}
