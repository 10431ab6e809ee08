import type { BatchAnswer, BatchItem } from '#core/execute.js';
import type { AnswerOf, Operation } from '#core/operation.js';
import type { Transaction as LedgerTransaction } from '#core/records.js';
import { Rejection, type RejectionKind } from '#core/rejection.js';
import { type Keeping, succeeded } from '#idempotency/kept-answers.js';
import type { Lanes } from './lanes.js';
import { batchTask, type Outcome, singleTask, type Task } from './task.js';
import type { StoredTransaction } from './write/persist.js';

/** The ledger said no. */
export class LedgerRefusal extends Error {
  override readonly name = 'LedgerRefusal';
  readonly kind: RejectionKind;

  constructor({ kind, text }: Rejection) {
    super(text);
    this.kind = kind;
  }
}

/** Money in or out, as it stands in the database. */
export type Movement = LedgerTransaction & StoredTransaction;

/** What becomes of the core's answer: a body, which is kept when the request named a key. */
export interface Answering<Answer, Body extends object> {
  readonly keeping?: Keeping | undefined;
  present(answer: Answer): Body;
}

type MoneyOperation = Extract<Operation, { type: 'fund_user' | 'withdraw' }>;

export interface Ledger {
  execute<Some extends Operation, Body extends object>(
    accountId: bigint,
    operation: Some,
    answering: Answering<AnswerOf<Some['type']>, Body>,
  ): Promise<Body>;
  /** Funds or withdraws; what is presented is the transaction that was written. */
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
    keeping: Keeping | undefined,
    presented: (outcome: Outcome) => Body,
  ): Promise<Body> {
    const outcome = await lanes.add(keeping === undefined ? task : { ...task, kept: keptBy(keeping, presented) });
    if (outcome.result instanceof Rejection) throw new LedgerRefusal(outcome.result);
    if (outcome.result instanceof Error) throw outcome.result;
    return presented(outcome);
  }
  return {
    execute: (accountId, operation, { keeping, present }) =>
      run(singleTask(accountId, operation), keeping, ({ result }) => present(result as Parameters<typeof present>[0])),
    move: (accountId, operation, { keeping, present }) =>
      run(singleTask(accountId, operation), keeping, ({ result, stored }) => {
        const movement = result as LedgerTransaction;
        return present({ ...movement, ...(stored.get(movement) as StoredTransaction) });
      }),
    executeBatch: (accountId, items, { keeping, present }) =>
      run(batchTask(accountId, items), keeping, ({ result }) => present(result as readonly BatchAnswer[])),
  };
}

const keptBy = (keeping: Keeping, presented: (outcome: Outcome) => object): NonNullable<Task['kept']> => ({
  request: keeping,
  answerOf(outcome) {
    if (outcome.result instanceof Error) return undefined;
    if (!(outcome.result instanceof Rejection)) return succeeded(keeping, presented(outcome));
    const answer = keeping.refused(new LedgerRefusal(outcome.result));
    const { accountId, key, requestHash } = keeping;
    return answer && { accountId, key, requestHash, ...answer };
  },
});
