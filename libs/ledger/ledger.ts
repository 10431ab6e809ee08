import type { BatchAnswer, BatchItem } from '#core/execute.js';
import type { AnswerOf, Operation } from '#core/operation.js';
import type { Transaction } from '#core/records.js';
import { Rejection, type RejectionKind } from '#core/rejection.js';
import { type IdempotencyContext, refusalToStore, successToStore } from '#idempotency/idempotency.js';
import type { Lanes } from './lanes.js';
import { batchTask, singleTask, type Task, type TaskResult } from './task.js';
import type { StoredTransaction } from './write/persist.js';

/** A rejection of the core, thrown to the caller. */
export class LedgerRefusal extends Error {
  override readonly name = 'LedgerRefusal';
  readonly kind: RejectionKind;

  constructor({ kind, text }: Rejection) {
    super(text);
    this.kind = kind;
  }
}

/** Money in or out, as stored in the database. */
export type Movement = Transaction & StoredTransaction;

/** How the core's answer becomes a body, which is stored when the request named a key. */
export interface Answering<Answer, Body extends object> {
  readonly idempotency?: IdempotencyContext | undefined;
  present(answer: Answer): Body;
}

type MoneyOperation = Extract<Operation, { type: 'fund_user' | 'withdraw' }>;

export interface Ledger {
  execute<Some extends Operation, Body extends object>(
    accountId: bigint,
    operation: Some,
    answering: Answering<AnswerOf<Some['type']>, Body>,
  ): Promise<Body>;
  /** Funds or withdraws, and presents the stored transaction. */
  move<Body extends object>(
    accountId: bigint,
    operation: MoneyOperation,
    answering: Answering<Movement, Body>,
  ): Promise<Body>;
  /** All or nothing. */
  executeBatch<Body extends object>(
    accountId: bigint,
    items: readonly BatchItem[],
    answering: Answering<readonly BatchAnswer[], Body>,
  ): Promise<Body>;
}

export function createLedger(lanes: Lanes): Ledger {
  async function run<Body extends object>(
    task: Task,
    idempotency: IdempotencyContext | undefined,
    present: (result: TaskResult) => Body,
  ): Promise<Body> {
    const result = await lanes.add(
      idempotency === undefined ? task : { ...task, idempotency: answerStoring(idempotency, present) },
    );
    if (result.value instanceof Rejection) throw new LedgerRefusal(result.value);
    if (result.value instanceof Error) throw result.value;
    return present(result);
  }
  return {
    execute: (accountId, operation, { idempotency, present }) =>
      run(singleTask(accountId, operation), idempotency, ({ value }) =>
        present(value as Parameters<typeof present>[0]),
      ),
    move: (accountId, operation, { idempotency, present }) =>
      run(singleTask(accountId, operation), idempotency, ({ value, stored }) => {
        const movement = value as Transaction;
        return present({ ...movement, ...(stored.get(movement) as StoredTransaction) });
      }),
    executeBatch: (accountId, items, { idempotency, present }) =>
      run(batchTask(accountId, items), idempotency, ({ value }) => present(value as readonly BatchAnswer[])),
  };
}

const answerStoring = (
  context: IdempotencyContext,
  present: (result: TaskResult) => object,
): NonNullable<Task['idempotency']> => ({
  request: context,
  answerToStore(result) {
    if (result.value instanceof Error) return undefined;
    return result.value instanceof Rejection
      ? refusalToStore(context, new LedgerRefusal(result.value))
      : successToStore(context, present(result));
  },
});
