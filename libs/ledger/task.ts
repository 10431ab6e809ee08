import type { Book } from '#core/book.js';
import type { Needs } from '#core/needs.js';
import {
  type AnswerOf,
  type BatchAnswer,
  type BatchItem,
  execute,
  executeBatch,
  type Failure,
  needsOf,
  type Operation,
} from '#core/operation.js';
import type { Rejection } from '#core/rejection.js';
import type { EventCause } from '#events/event-cause.js';
import type { KeyedRequest, Replayed, StoredAnswer } from '#idempotency/stored-answers.js';
import { currentTraceId } from '#platform/logging/trace-context.js';
import type { GroupRun, StoredMovements } from './write-group.js';

/** The core ran the task and changed the Book. */
export interface Done<Answer> {
  readonly kind: 'done';
  readonly answer: Answer;
  readonly stored: StoredMovements;
}

/** The core refused the task, which left no trace. */
export interface Refused {
  readonly kind: 'refused';
  readonly rejection: Rejection;
}

/** The key belongs to another request. */
export const KEY_REUSED = { kind: 'key-reused' } as const;
export type KeyReused = typeof KEY_REUSED;

export type TaskResult<Answer = unknown> = Done<Answer> | Refused | Replayed | KeyReused;

/** Of tasks that the core does not refuse; `doing` names what failed when it does. */
export const answersOf = <Answer>(results: readonly TaskResult[], doing: string): Answer[] =>
  results.map((result) => {
    if (result.kind !== 'done') throw new Error(`${doing} was ${result.kind}`);
    return result.answer as Answer;
  });

/** Another transaction holds a row or a name that the task needs: the task did not run and left no trace. */
export const SET_ASIDE = { kind: 'set-aside' } as const;

/** What one caller asks of one account's ledger: an operation, or a batch that succeeds or fails as one. */
export interface Task<Answer = unknown> {
  readonly accountId: bigint;
  readonly needs: readonly Needs[];
  run(book: Book): Answer | Failure;
  /** Of the request that asks. */
  readonly traceId: string | undefined;
  /** Of the groups that it was in. `beginRun` in `unit-of-work.ts` adds each. */
  runs?: readonly GroupRun[] | undefined;
  readonly cause?: EventCause | undefined;
  /** Of a request with an Idempotency-Key: the answer to store once the core has run the task. */
  readonly idempotency?: {
    readonly request: KeyedRequest;
    answerToStore(result: Done<Answer> | Refused): StoredAnswer | undefined;
  };
}

export function singleTask<Some extends Operation>(accountId: bigint, operation: Some): Task<AnswerOf<Some['type']>> {
  return {
    accountId,
    needs: [needsOf(operation)],
    run: (book) => execute(book, operation),
    traceId: currentTraceId(),
    runs: undefined,
  };
}

/** By the worker itself: no request asks for it. */
export const workerTask = <Some extends Operation>(
  accountId: bigint,
  operation: Some,
): Task<AnswerOf<Some['type']>> => ({
  ...singleTask(accountId, operation),
  cause: { actor: 'worker', requestId: null },
});

export function batchTask(accountId: bigint, items: readonly BatchItem[]): Task<readonly BatchAnswer[]> {
  return {
    accountId,
    needs: items.map(({ operation }) => needsOf(operation)),
    run: (book) => executeBatch(book, items),
    traceId: currentTraceId(),
    runs: undefined,
  };
}
