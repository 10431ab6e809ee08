import type { AnswerOf, BatchAnswer, BatchItem, Operation } from '#core/operation.js';
import type { Transaction } from '#core/records.js';
import type { Rejection, RejectionCode } from '#core/rejection.js';
import type { EventCause } from '#events/event-cause.js';
import { type IdempotencyContext, refusalToStore, successToStore } from '#idempotency/idempotency.js';
import type { Replayed } from '#idempotency/stored-answers.js';
import { KnownRefusal, Refusal } from '#platform/errors/refusal.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import type { Deadline } from '#platform/process/deadline.js';
import type { Lanes } from './lanes.js';
import { batchTask, type Done, singleTask, type Task } from './task.js';
import { referenceOfTransaction } from './transaction-reference.js';
import type { StoredMovement } from './write-group.js';

/** What the caller of a refused operation is answered. The core finds faults of form where only the ledger knows the time. */
export const refusalOf = (rejection: Rejection): LedgerRefusal | ValidationError =>
  rejection.kind === 'malformed'
    ? new ValidationError([rejection.text], rejection.operationId)
    : new LedgerRefusal(rejection);

/** A rejection of the core, thrown to the caller. */
export class LedgerRefusal extends KnownRefusal {
  override readonly name = 'LedgerRefusal';
  readonly code: RejectionCode;

  constructor({ code, kind, text, operationId }: Rejection) {
    if (kind === 'malformed') throw new Error(`${code} is a fault of form`);
    super(kind, text, { operationId });
    this.code = code;
  }
}

/** Money in or out, as stored in the database. */
export type Movement = Transaction & StoredMovement & { readonly reference: string };

/** The request behind an operation: how long it waits, the key that its answer is stored with, and who sent it. */
export interface Call {
  readonly deadline?: Deadline | undefined;
  readonly idempotency?: IdempotencyContext | undefined;
  /** What the events of the operation say of who asked. */
  readonly cause?: EventCause | undefined;
}

/** How the core's answer becomes a body. */
interface Answering<Answer, Body extends object> {
  readonly call?: Call | undefined;
  present(answer: Answer): Body;
}

type MoneyOperation = Extract<Operation, { type: 'fund_user' | 'withdraw' }>;

export interface Ledger {
  execute<Some extends Operation, Body extends object>(
    accountId: bigint,
    operation: Some,
    answering: Answering<AnswerOf<Some['type']>, Body>,
  ): Promise<Body | Replayed>;
  /** Funds or withdraws, and presents the stored transaction. */
  move<Body extends object>(
    accountId: bigint,
    operation: MoneyOperation,
    answering: Answering<Movement, Body>,
  ): Promise<Body | Replayed>;
  /** All or nothing. */
  executeBatch<Body extends object>(
    accountId: bigint,
    items: readonly BatchItem[],
    answering: Answering<readonly BatchAnswer[], Body>,
  ): Promise<Body | Replayed>;
}

export function createLedger(lanes: Lanes): Ledger {
  async function run<Answer, Body extends object>(
    task: Task<Answer>,
    call: Call | undefined,
    present: (done: Done<Answer>) => Body,
  ): Promise<Body | Replayed> {
    const { idempotency, deadline, cause } = call ?? {};
    // Not by a spread of what may be there (docs/decisions/0053-what-v8-likes.md).
    const caused =
      idempotency === undefined
        ? { cause, ...task }
        : { cause, idempotency: answerStoring(idempotency, present), ...task };
    const result = await lanes.add(caused, deadline);
    switch (result.kind) {
      case 'done':
        return present(result);
      case 'replayed':
        return result;
      case 'refused':
        throw refusalOf(result.rejection);
      case 'key-reused':
        throw new Refusal('key-reused');
    }
  }
  return {
    execute: (accountId, operation, { call, present }) =>
      run(singleTask(accountId, operation), call, ({ answer }) => present(answer)),
    move: (accountId, operation, { call, present }) =>
      run(singleTask<MoneyOperation>(accountId, operation), call, ({ answer, stored }) =>
        present(movementOf(answer, stored.get(answer) as StoredMovement)),
      ),
    executeBatch: (accountId, items, { call, present }) =>
      run(batchTask(accountId, items), call, ({ answer }) => present(answer)),
  };
}

const movementOf = (transaction: Transaction, row: StoredMovement): Movement => ({
  ...transaction,
  ...row,
  reference: referenceOfTransaction(row),
});

const answerStoring = <Answer>(
  context: IdempotencyContext,
  present: (done: Done<Answer>) => object,
): NonNullable<Task<Answer>['idempotency']> => ({
  request: context,
  answerToStore: (result) =>
    result.kind === 'done'
      ? successToStore(context, present(result))
      : refusalToStore(context, refusalOf(result.rejection)),
});
