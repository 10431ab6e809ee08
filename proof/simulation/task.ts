import type { Book } from '#core/book.js';
import { type BatchItem, execute, executeBatch, type Operation } from '#core/operation.js';

/** What both ledgers are asked to do: one operation or a batch. */
export type Task = { readonly now: bigint } & (
  | { readonly kind: 'single'; readonly operation: Operation }
  | { readonly kind: 'batch'; readonly items: readonly BatchItem[] }
);

export type TaskResult = ReturnType<typeof execute> | ReturnType<typeof executeBatch>;

export const operationsOf = (task: Task): readonly Operation[] =>
  task.kind === 'single' ? [task.operation] : task.items.map(({ operation }) => operation);

export const runOnBook = (book: Book, task: Task): TaskResult => {
  book.now = task.now;
  return task.kind === 'single' ? execute(book, task.operation) : executeBatch(book, task.items);
};
