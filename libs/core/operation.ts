import type { Book } from './book.js';
import type { Decision } from './decision.js';
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
import { Rejection } from './rejection.js';

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

/** Checks and changes. A step may ask for more offers or refuse: it throws. The result is final only when the attempt around it has judged the users' money. */
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
