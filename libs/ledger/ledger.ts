import type { BatchAnswer, BatchItem } from '#core/execute.js';
import type { AnswerOf, Operation } from '#core/operation.js';
import type { Transaction as LedgerTransaction } from '#core/records.js';
import { Rejection, type RejectionKind } from '#core/rejection.js';
import type { Lanes } from './lanes.js';
import type { StoredTransaction } from './persist.js';
import { batchTask, singleTask, type Task } from './task.js';

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

export interface Ledger {
  execute<Some extends Operation>(accountId: bigint, operation: Some): Promise<AnswerOf<Some['type']>>;
  /** Funds or withdraws, and tells the transaction that was written. */
  move(accountId: bigint, operation: Extract<Operation, { type: 'fund_user' | 'withdraw' }>): Promise<Movement>;
  /** All or nothing. */
  executeBatch(accountId: bigint, items: readonly BatchItem[]): Promise<readonly BatchAnswer[]>;
}

export function createLedger(lanes: Lanes): Ledger {
  async function run(task: Task) {
    const { result, stored } = await lanes.add(task);
    if (result instanceof Rejection) throw new LedgerRefusal(result);
    return { result, stored };
  }
  return {
    async execute<Some extends Operation>(accountId: bigint, operation: Some) {
      const { result } = await run(singleTask(accountId, operation));
      return result as AnswerOf<Some['type']>;
    },
    async move(accountId, operation) {
      const { result, stored } = await run(singleTask(accountId, operation));
      const movement = result as LedgerTransaction;
      return { ...movement, ...(stored.get(movement) as StoredTransaction) };
    },
    async executeBatch(accountId, items) {
      const { result } = await run(batchTask(accountId, items));
      return result as readonly BatchAnswer[];
    },
  };
}
