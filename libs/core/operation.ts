import type { Book } from './book.js';
import { type Commitment, type Decision, type Failure, isFailure, judgeBounds, judgeFunds } from './decision.js';
import { MoreOffers, type Needs } from './needs.js';
import { type AcceptOffer, acceptOffer, needsOfAcceptOffer } from './operations/accept-offer.js';
import { type CancelChunk, cancelChunk, needsOfCancelChunk } from './operations/cancel-chunk.js';
import { type CancelOffer, cancelOffer, needsOfCancelOffer } from './operations/cancel-offer.js';
import { type DecideWager, decideWager, needsOfDecideWager } from './operations/decide-wager.js';
import { type ForceOutcome, forceOutcome, needsOfForceOutcome } from './operations/force-outcome.js';
import { type ForceOverride, forceOverride, needsOfForceOverride } from './operations/force-override.js';
import { type MakeOffer, makeOffer, needsOfMakeOffer } from './operations/make-offer.js';
import { type MoveMoney, moveMoney, needsOfMoveMoney } from './operations/move-money.js';
import { needsOfOverrideOutcome, type OverrideOutcome, overrideOutcome } from './operations/override-outcome.js';
import { needsOfSetActive, type SetActive, setActive } from './operations/set-active.js';
import { needsOfSettleChunk, type SettleChunk, settleChunk } from './operations/settle-chunk.js';
import { nameOperation, Rejection, reject } from './rejection.js';

/** Everything that can happen to the ledger. A batch may hold the first five types; the API uses the same names. */
export type Operation =
  | MakeOffer
  | AcceptOffer
  | CancelOffer
  | DecideWager
  | OverrideOutcome
  | MoveMoney<'fund_user'>
  | MoveMoney<'withdraw'>
  | SettleChunk
  | CancelChunk
  | ForceOutcome
  | SetActive
  | ForceOverride;

export type OperationType = Operation['type'];
export type OperationOf<Type extends OperationType> = Extract<Operation, { type: Type }>;

const rulesByType = {
  make_bet_offer: { decide: makeOffer, needs: needsOfMakeOffer },
  accept_bet_offer: { decide: acceptOffer, needs: needsOfAcceptOffer },
  cancel_bet_offer: { decide: cancelOffer, needs: needsOfCancelOffer },
  update_wager_outcome: { decide: decideWager, needs: needsOfDecideWager },
  override_bet_outcome: { decide: overrideOutcome, needs: needsOfOverrideOutcome },
  fund_user: { decide: moveMoney, needs: needsOfMoveMoney },
  withdraw: { decide: moveMoney, needs: needsOfMoveMoney },
  settle_chunk: { decide: settleChunk, needs: needsOfSettleChunk },
  cancel_chunk: { decide: cancelChunk, needs: needsOfCancelChunk },
  force_wager_outcome: { decide: forceOutcome, needs: needsOfForceOutcome },
  set_bet_active: { decide: setActive, needs: needsOfSetActive },
  force_bet_override: { decide: forceOverride, needs: needsOfForceOverride },
} satisfies {
  [Type in OperationType]: {
    decide: (book: Book, operation: OperationOf<Type>) => Decision<unknown>;
    needs: (operation: OperationOf<Type>) => Needs;
  };
};

type AnswerIn<Result> = Result extends { answer: infer Answer } ? Answer : never;

/** The answer of an operation that was not refused. */
export type AnswerOf<Type extends OperationType> = AnswerIn<ReturnType<(typeof rulesByType)[Type]['decide']>>;

/** `rulesByType` pairs each type with its functions; a lookup by a type known only at run time loses that pairing. */
interface Rules<Type extends OperationType> {
  decide: (book: Book, operation: Operation) => Decision<AnswerOf<Type>>;
  needs: (operation: Operation) => Needs;
}
const rulesOf = <Type extends OperationType>(type: Type) => rulesByType[type] as unknown as Rules<Type>;

export const needsOf = (operation: Operation): Needs => rulesOf(operation.type).needs(operation);

/**
 * Checks and changes. A step may ask for more offers or refuse: it throws. The result is final only when the attempt around it
 * has judged the users' money.
 */
export const decide = <Some extends Operation>(
  book: Book,
  operation: Some,
): Decision<AnswerOf<Some['type']>> | MoreOffers => {
  try {
    return rulesOf<Some['type']>(operation.type).decide(book, operation);
  } catch (error) {
    if (error instanceof MoreOffers || error instanceof Rejection) return error;
    throw error;
  }
};

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
