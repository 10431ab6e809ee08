import type { Task } from './task.js';
import { CommitUnknown, type UnitOfWork } from './unit-of-work.js';

/** `unknown`: the commit was not confirmed. */
export const transactionEnds = ['committed', 'failed', 'unknown'] as const;

export interface EndedTransaction {
  readonly operations: number;
  readonly ms: number;
  readonly end: (typeof transactionEnds)[number];
}

/** Is told how the ledger works, for metrics: once a transaction, not once an operation. */
export interface LedgerObserver {
  transactionEnded(transaction: EndedTransaction): void;
}

const operationsOf = (tasks: readonly Task[]) => tasks.reduce((sum, { needs }) => sum + needs.length, 0);

/** The same work, watched. */
export function observeWork(work: UnitOfWork, observer: LedgerObserver): UnitOfWork {
  async function observed<Result>(tasks: readonly Task[], run: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    let end: EndedTransaction['end'] = 'failed';
    try {
      const result = await run();
      end = 'committed';
      return result;
    } catch (error) {
      if (error instanceof CommitUnknown) end = 'unknown';
      throw error;
    } finally {
      observer.transactionEnded({ operations: operationsOf(tasks), ms: performance.now() - startedAt, end });
    }
  }
  return {
    ...work,
    run: (tasks) => observed(tasks, () => work.run(tasks)),
    runWithRetry: (tasks) => observed(tasks, () => work.runWithRetry(tasks)),
  };
}
