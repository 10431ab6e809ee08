import { dueStateOf } from './bet-state.js';
import type { Book } from './book.js';
import { differenceOf, type Impact, impactOf, oppositeOf } from './impact.js';
import { asMicros, type Micros, ZERO } from './money.js';
import type { TransactionType } from './outcome.js';
import type { Bet, TrailEntry } from './records.js';

/*
 * A step in a bet's life, the only way in which a bet changes: its facts change, both users move by the difference of
 * its impact, a trail entry says what happened, and the transactions that the step caused hang on that entry.
 */

export type Facts = Partial<
  Pick<
    Bet,
    | 'offerStatus'
    | 'acceptingUserId'
    | 'effectiveOdds'
    | 'effectiveAmount'
    | 'overrideOutcome'
    | 'settledOutcome'
    | 'isActive'
  >
>;

export type OfferTerms = Pick<
  Bet,
  'wagerId' | 'requestingUserId' | 'requestingOdds' | 'requestingAmount' | 'allowedAcceptorIds' | 'meta'
>;

/** A new offer; `queuePlace` null: at the end of the queue. */
export const openOffer = (
  book: Book,
  terms: OfferTerms,
  { queuePlace, description }: { queuePlace: bigint | null; description: string },
): Bet => {
  const id = book.nextBetId();
  const bet: Bet = {
    id,
    wagerId: terms.wagerId,
    requestingUserId: terms.requestingUserId,
    requestingOdds: terms.requestingOdds,
    requestingAmount: terms.requestingAmount,
    allowedAcceptorIds: terms.allowedAcceptorIds,
    queuePlace: queuePlace ?? id,
    meta: terms.meta,
    offerStatus: 'requesting',
    acceptingUserId: null,
    effectiveOdds: null,
    effectiveAmount: null,
    overrideOutcome: null,
    settledOutcome: null,
    isActive: true,
  };
  book.insertBet(bet);
  moveUsers(book, bet, impactOf(bet));
  writeTrail(book, bet, description);
  return bet;
};

/** What an offer leaves when a part of it is accepted or canceled: the same terms, the same place in the queue. */
export const openRest = (book: Book, bet: Bet, { amount, description }: { amount: Micros; description: string }): Bet =>
  openOffer(book, { ...bet, requestingAmount: amount }, { queuePlace: bet.queuePlace, description });

export const takeStep = (book: Book, bet: Bet, facts: Facts, description: string): void => {
  const impactBefore = impactOf(bet);
  const settledBefore = bet.settledOutcome;
  book.updateBet(bet, facts);
  const impactAfter = impactOf(bet);
  moveUsers(book, bet, differenceOf(impactAfter, impactBefore));
  const trail = writeTrail(book, bet, description);
  if (settledBefore === bet.settledOutcome) return;
  if (settledBefore !== null) {
    const reversal = asMicros(-impactBefore.balance);
    writeTransactions(book, bet, { trail, movement: reversal, description: `Settlement reversed: ${settledBefore}` });
  }
  if (bet.settledOutcome !== null) {
    const movement = impactAfter.balance;
    writeTransactions(book, bet, { trail, movement, description: `Bet settled: ${bet.settledOutcome}` });
  }
};

/** As `takeStep`; and the bet goes where its facts and its wager's outcome then say it should be. */
export const restate = (book: Book, bet: Bet, facts: Facts, description: string): void => {
  const due = dueStateOf({ ...bet, ...facts }, book.wager(bet.wagerId).outcome);
  takeStep(book, bet, { ...facts, ...due }, description);
};

const moveUsers = (book: Book, bet: Bet, difference: Impact): void => {
  book.move({ userId: bet.requestingUserId, wagerId: bet.wagerId }, difference);
  if (bet.acceptingUserId !== null) {
    book.move({ userId: bet.acceptingUserId, wagerId: bet.wagerId }, oppositeOf(difference));
  }
};

const writeTrail = (book: Book, bet: Bet, description: string): TrailEntry => {
  const trail: TrailEntry = {
    betId: bet.id,
    wagerId: bet.wagerId,
    offerStatus: bet.offerStatus,
    description,
    outcome: book.wager(bet.wagerId).outcome,
    overrideOutcome: bet.overrideOutcome,
    requestingOdds: bet.requestingOdds,
    requestingAmount: bet.requestingAmount,
    // What the acceptor took of this bet is what came into effect: one acceptance matches a bet once.
    acceptingOdds: bet.effectiveOdds,
    acceptingAmount: bet.effectiveAmount,
    effectiveOdds: bet.effectiveOdds,
    effectiveAmount: bet.effectiveAmount,
  };
  book.addTrail(trail);
  return trail;
};

interface Settlement {
  readonly trail: TrailEntry;
  /** From the acceptor to the requester. */
  readonly movement: Micros;
  readonly description: string;
}

/** One for each side, opposite to each other; also when nothing moves, so that every settlement shows its entries. */
const writeTransactions = (book: Book, bet: Bet, { trail, movement, description }: Settlement): void => {
  if (bet.acceptingUserId === null) throw new Error(`bet ${bet.id} is settled without an acceptor`);
  const shared = { description, transactionSource: 'bet', trail } as const;
  const sides = [
    { userId: bet.requestingUserId, received: movement },
    { userId: bet.acceptingUserId, received: asMicros(-movement) },
  ];
  for (const { userId, received } of sides) {
    const amount = received < ZERO ? asMicros(-received) : received;
    book.addTransaction({ userId, amount, transactionType: typeOf(received), ...shared });
  }
};

const typeOf = (received: Micros): TransactionType => {
  if (received === ZERO) return 'no-action';
  return received > ZERO ? 'credit' : 'debit';
};
