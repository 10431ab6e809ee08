import type { Book } from '#core/book.js';
import type { Failure } from '#core/decision.js';
import { type BatchAnswer, type BatchItem, execute, executeBatch } from '#core/execute.js';
import type { Needs } from '#core/needs.js';
import { type AnswerOf, needsOf, type Operation } from '#core/operation.js';
import type { KeyedRequest, StoredAnswer } from '#idempotency/stored-answers.js';
import { currentTraceId } from '#platform/tracing/tracing.js';
import type { StoredTransactions } from './write/persist.js';

/** What one caller asks of one account's ledger: an operation, or a batch that succeeds or fails as one. */
export interface Task<Answer = unknown> {
  readonly accountId: bigint;
  readonly needs: readonly Needs[];
  run(book: Book): Answer | Failure;
  /** Of the request that asks. */
  readonly traceId: string | undefined;
  /** Of a request with an Idempotency-Key: the answer to store once the result is known. */
  readonly idempotency?: {
    readonly request: KeyedRequest;
    answerToStore(result: TaskResult): StoredAnswer | undefined;
  };
}

/** What became of one task. */
export interface TaskResult {
  /** The core's answer or rejection; an error when the task did not run. */
  readonly value: unknown;
  readonly stored: StoredTransactions;
}

export function singleTask<Some extends Operation>(accountId: bigint, operation: Some): Task<AnswerOf<Some['type']>> {
  return {
    accountId,
    needs: [needsOf(operation)],
    run: (book) => execute(book, operation),
    traceId: currentTraceId(),
  };
}

export function batchTask(accountId: bigint, items: readonly BatchItem[]): Task<readonly BatchAnswer[]> {
  return {
    accountId,
    needs: items.map(({ operation }) => needsOf(operation)),
    run: (book) => executeBatch(book, items),
    traceId: currentTraceId(),
  };
}
