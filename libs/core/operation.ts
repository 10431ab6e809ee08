import { type AcceptOffer, acceptOffer, needsOfAcceptOffer } from './accept-offer.js';
import type { Book } from './book.js';
import {
  type CancelChunk,
  type CancelOffer,
  cancelChunk,
  cancelOffer,
  needsOfCancelChunk,
  needsOfCancelOffer,
} from './cancel-offer.js';
import type { Table } from './changes.js';
import {
  type ForceOverride,
  forceOverride,
  needsOfForceOverride,
  needsOfOverrideOutcome,
  needsOfSetActive,
  type OverrideOutcome,
  overrideOutcome,
  type SetActive,
  setActive,
} from './correct-bet.js';
import {
  type DecideWager,
  decideWager,
  type ForceOutcome,
  forceOutcome,
  needsOfDecideWager,
  needsOfForceOutcome,
  needsOfSettleChunk,
  type SettleChunk,
  settleChunk,
} from './decide-wager.js';
import { type FireTimer, fireTimer, needsOfFireTimer } from './fire-timer.js';
import { type MakeOffer, makeOffer, needsOfMakeOffer } from './make-offer.js';
import { formatMicros, isBeyondLedger, LEDGER_BOUND_MICROS, magnitudeOf } from './money.js';
import { type MoveMoney, moveMoney, needsOfMoveMoney } from './move-money.js';
import type { Needs } from './needs.js';
import { MoreOffers } from './offers.js';
import type { User } from './records.js';
import { type Commitment, nameOperation, type OperationResult, Rejection, reject } from './rejection.js';
import { needsOfRunClock, type RunClock, runClock } from './run-clock.js';
import {
  type CloseWager,
  closeWager,
  needsOfScheduleWager,
  needsOfStatusChange,
  needsOfSuspendWager,
  type ResumeWager,
  resumeWager,
  type ScheduleWager,
  type SuspendWager,
  scheduleWager,
  suspendWager,
} from './wager-status.js';

/** Everything that can happen to the ledger. A batch may hold some of the types; the API uses the same names. */
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
  | ForceOverride
  | SuspendWager
  | ResumeWager
  | CloseWager
  | ScheduleWager
  | RunClock
  | FireTimer;

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
  suspend_wager: { decide: suspendWager, needs: needsOfSuspendWager },
  resume_wager: { decide: resumeWager, needs: needsOfStatusChange },
  close_wager: { decide: closeWager, needs: needsOfSuspendWager },
  schedule_wager: { decide: scheduleWager, needs: needsOfScheduleWager },
  run_clock: { decide: runClock, needs: needsOfRunClock },
  fire_timer: { decide: fireTimer, needs: needsOfFireTimer },
} satisfies {
  [Type in OperationType]: {
    decide: (book: Book, operation: OperationOf<Type>) => OperationResult<unknown>;
    needs: (operation: OperationOf<Type>) => Needs;
  };
};

type AnswerIn<Result> = Result extends { answer: infer Answer } ? Answer : never;

/** The answer of an operation that was not refused. */
export type AnswerOf<Type extends OperationType> = AnswerIn<ReturnType<(typeof rulesByType)[Type]['decide']>>;

/** `rulesByType` pairs each type with its functions; a lookup by a type known only at run time loses that pairing. */
interface Rules<Type extends OperationType> {
  decide: (book: Book, operation: Operation) => OperationResult<AnswerOf<Type>>;
  needs: (operation: Operation) => Needs;
}
const rulesOf = <Type extends OperationType>(type: Type) => rulesByType[type] as unknown as Rules<Type>;

export const needsOf = (operation: Operation): Needs => rulesOf(operation.type).needs(operation);

/**
 * Checks and changes. A step may ask for more offers or refuse: it throws. The result is final only when the attempt around it
 * has judged the users' money.
 */
const decide = <Some extends Operation>(
  book: Book,
  operation: Some,
): OperationResult<AnswerOf<Some['type']>> | MoreOffers => {
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

/** The operation was not executed and the Book is unchanged. */
export type Failure = Rejection | MoreOffers;

export const isFailure = (result: unknown): result is Failure =>
  result instanceof Rejection || result instanceof MoreOffers;

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
    const commitments: BatchCommitment[] = [];
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

interface BatchCommitment extends Commitment {
  readonly operationId: string;
}

/** A failed check at the end names the last operation that could have avoided it: of that user, or of any user. */
const judgeBatch = (book: Book, commitments: readonly BatchCommitment[]): Rejection | null => {
  const lastFirst = commitments.toReversed();
  for (const commitment of lastFirst) {
    const unfunded = judgeFunds(book, commitment);
    if (unfunded !== null) return nameOperation(commitment.operationId, unfunded);
  }
  const [last] = lastFirst;
  const beyond = last === undefined ? null : judgeBounds(book);
  return last === undefined || beyond === null ? null : nameOperation(last.operationId, beyond);
};

/*
 * The checks at the end of an attempt, when the Book holds all its changes: so a batch may cancel and replace an offer
 * in either order. Funds are checked only for users who committed money, so settling and correcting are never refused.
 */

/** Null: the user can afford its commitment. Nobody knows what a disputed user has, so it can afford none. */
const judgeFunds = (book: Book, { user, unfunded }: Commitment): Rejection | null => {
  if (unfunded === null) return null;
  if (user.isDisputed) return reject('balance-disputed');
  if (user.allowNegativeBalance ?? book.account.allowNegativeBalance) return null;
  const before = book.users.before(user) ?? user;
  const isLower = effectiveBalanceOf(user) < effectiveBalanceOf(before);
  return isLower && effectiveBalanceOf(user) < 0n ? reject(unfunded) : null;
};

/**
 * Null: the attempt took no figure beyond the ledger's bound. Settling is never refused, so a figure may already be
 * beyond it; later operations may then bring it closer, but not further away.
 */
const judgeBounds = (book: Book): Rejection | null => {
  const isBeyond =
    wentBeyond(book.users, ({ balance, exposure }) => [balance, exposure]) ||
    wentBeyond(book.positions, ({ win, loss, offered }) => [win, loss, offered]);
  return isBeyond ? reject('ledger-bound', formatMicros(LEDGER_BOUND_MICROS)) : null;
};

const effectiveBalanceOf = ({ balance, exposure }: User): bigint => balance - exposure;

const wentBeyond = <Key, Row extends object>(
  table: Table<Key, Row>,
  figuresOf: (row: Row) => readonly bigint[],
): boolean => {
  for (const row of table.touched()) {
    const figures = figuresOf(row);
    if (!figures.some(isBeyondLedger)) continue;
    const before = table.before(row);
    const figuresBefore = before === undefined ? [] : figuresOf(before);
    const isFurther = (figure: bigint, index: number) => magnitudeOf(figure) > magnitudeOf(figuresBefore[index] ?? 0n);
    if (figures.some((figure, index) => isBeyondLedger(figure) && isFurther(figure, index))) return true;
  }
  return false;
};
