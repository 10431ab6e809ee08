import type { Book } from '#core/book.js';
import type { Failure } from '#core/decision.js';
import { type BatchAnswer, type BatchItem, execute, executeBatch } from '#core/execute.js';
import type { Needs } from '#core/needs.js';
import { type AnswerOf, needsOf, type Operation } from '#core/operation.js';

/** What one caller asks of one account's ledger: an operation, or a batch that succeeds or fails as one. */
export interface Task<Answer = unknown> {
  readonly accountId: bigint;
  readonly needs: readonly Needs[];
  run(book: Book): Answer | Failure;
}

export function singleTask<Some extends Operation>(accountId: bigint, operation: Some): Task<AnswerOf<Some['type']>> {
  return { accountId, needs: [needsOf(operation)], run: (book) => execute(book, operation) };
}

export function batchTask(accountId: bigint, items: readonly BatchItem[]): Task<readonly BatchAnswer[]> {
  return {
    accountId,
    needs: items.map(({ operation }) => needsOf(operation)),
    run: (book) => executeBatch(book, items),
  };
}
