import type { Failure } from '#core/decision.js';
import { MoreOffers } from '#core/needs.js';
import type { Transaction as LedgerTransaction } from '#core/records.js';
import { Rejection } from '#core/rejection.js';
import { type Database, withTransaction } from '#database/database.js';
import { GroupBook } from './group-book.js';
import { persist, type StoredTransaction } from './persist.js';
import type { Task } from './task.js';

/** What became of one task, when the transaction has committed. */
export interface Outcome {
  readonly result: unknown;
  readonly stored: ReadonlyMap<LedgerTransaction, StoredTransaction>;
}

/** The transaction may or may not have committed: it must not be tried again by itself. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

/** More slices than any book can hold: a loop that does not end is a bug. */
const MAX_SLICES = 10_000;

async function decide(group: GroupBook, task: Task): Promise<unknown> {
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const result: unknown | Failure = task.run(group.bookOf(task.accountId));
    if (!(result instanceof MoreOffers)) return result;
    await group.loadMore(task.accountId, result);
  }
  throw new Error('an operation asked for more offers than there can be');
}

/**
 * Lock, read, decide in memory, write: one transaction and a constant number of round trips for any number of tasks of
 * any accounts. A task that the core refuses leaves no trace and touches no other.
 */
export async function runTasks(database: Database, tasks: readonly Task[]): Promise<Outcome[]> {
  let isDecided = false;
  try {
    return await withTransaction(database, async (transaction) => {
      const group = await GroupBook.load(transaction, tasks);
      const results: unknown[] = [];
      for (const task of tasks) results.push(await decide(group, task));
      const isAnythingDone = results.some((result) => !(result instanceof Rejection));
      const changes = [...group.books].map(([accountId, book]) => ({ accountId, ...book.changes() }));
      const stored = isAnythingDone ? await persist(transaction, changes) : new Map();
      isDecided = true;
      return results.map((result) => ({ result, stored }));
    });
  } catch (error) {
    throw isDecided ? new CommitUnknown('the commit was not confirmed', { cause: error }) : error;
  }
}
