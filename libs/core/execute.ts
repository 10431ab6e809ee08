import type { Book } from './book.js';
import { type Commitment, type Failure, isFailure } from './decision.js';
import { judgeBounds, judgeFunds } from './judge.js';
import { MoreOffers } from './needs.js';
import { type AnswerOf, decide, type Operation, type OperationType } from './operation.js';
import { nameOperation, Rejection, reject } from './rejection.js';

export interface BatchItem {
  readonly operationId: string;
  readonly operation: Operation;
}

export type BatchAnswer = {
  [Type in OperationType]: { readonly operationId: string; readonly type: Type; readonly answer: AnswerOf<Type> };
}[OperationType];

/** Executes one operation. A failure leaves the Book unchanged. */
export const execute = <Some extends Operation>(book: Book, operation: Some): AnswerOf<Some['type']> | Failure =>
  book.attempt((): AnswerOf<Some['type']> | Failure => {
    const decision = decide(book, operation);
    if (isFailure(decision)) return decision;
    const { answer, commitment } = decision;
    if (commitment === null) return answer;
    return judgeFunds(book, commitment) ?? judgeBounds(book) ?? answer;
  }, isFailure);

/** Executes all operations in order, or none. Funds are judged once, at the end. A refusal names its operation. */
export const executeBatch = (book: Book, items: readonly BatchItem[]): readonly BatchAnswer[] | Failure => {
  if (new Set(items.map((item) => item.operationId)).size < items.length) return reject('operation-ids-repeated');
  return book.attempt((): readonly BatchAnswer[] | Failure => {
    const answers: BatchAnswer[] = [];
    const commitments: NamedCommitment[] = [];
    for (const { operationId, operation } of items) {
      const decision = decide(book, operation);
      if (decision instanceof MoreOffers) return decision;
      if (decision instanceof Rejection) return nameOperation(operationId, decision);
      answers.push({ operationId, type: operation.type, answer: decision.answer } as BatchAnswer);
      if (decision.commitment !== null) commitments.push({ operationId, ...decision.commitment });
    }
    return judgeBatch(book, commitments) ?? answers;
  }, isFailure);
};

interface NamedCommitment extends Commitment {
  readonly operationId: string;
}

/** A failed check at the end names the last operation that could have avoided it: of that user, or of any user. */
const judgeBatch = (book: Book, commitments: readonly NamedCommitment[]): Rejection | null => {
  const lastFirst = commitments.toReversed();
  for (const commitment of lastFirst) {
    const unfunded = judgeFunds(book, commitment);
    if (unfunded !== null) return nameOperation(commitment.operationId, unfunded);
  }
  const [last] = lastFirst;
  const beyond = last === undefined ? null : judgeBounds(book);
  return last === undefined || beyond === null ? null : nameOperation(last.operationId, beyond);
};
