import type { Book } from './book.js';
import { reviseWager } from './change-wager.js';
import { differenceOf, dueStateOf, type Impact, impactOf, isMatched, oppositeOf } from './impact.js';
import { asMicros, type Micros, ZERO } from './money.js';
import type {
  AdminAction,
  Bet,
  CorrectionKind,
  OfferEndReason,
  StepKind,
  TrailEntry,
  TransactionType,
} from './records.js';
import { reject } from './rejection.js';

/*
 * A step is the only way in which a bet changes: its facts change, both users' balances and positions move by the
 * difference of its impact, one trail entry describes it, and its transactions refer to that entry.
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
    | 'acceptedAt'
    | 'timedOut'
  >
>;

export type OfferTerms = Pick<
  Bet,
  | 'wagerId'
  | 'requestingUserId'
  | 'requestingOdds'
  | 'requestingAmount'
  | 'allowedAcceptorIds'
  | 'expiresAt'
  | 'cancelOnSuspend'
>;

interface NewOffer {
  /** Null: at the end of the queue. */
  readonly queuePlace: bigint | null;
  readonly description: string;
  readonly meta?: unknown;
}

export const openOffer = (book: Book, terms: OfferTerms, { queuePlace, description, meta }: NewOffer): Bet => {
  const id = book.nextBetId();
  const bet: Bet = {
    id,
    wagerId: terms.wagerId,
    requestingUserId: terms.requestingUserId,
    requestingOdds: terms.requestingOdds,
    requestingAmount: terms.requestingAmount,
    allowedAcceptorIds: terms.allowedAcceptorIds,
    queuePlace: queuePlace ?? id,
    expiresAt: terms.expiresAt,
    cancelOnSuspend: terms.cancelOnSuspend,
    offerStatus: 'requesting',
    acceptingUserId: null,
    acceptedAt: null,
    timedOut: false,
    effectiveOdds: null,
    effectiveAmount: null,
    overrideOutcome: null,
    settledOutcome: null,
    isActive: true,
    sparedUpTo: null,
    paid: ZERO,
  };
  book.insertBet(bet, meta);
  moveUsers(book, bet, impactOf(bet, book.unit));
  writeTrail(book, bet, { kinds: ['offer.made'], description });
  return bet;
};

/**
 * Makes an offer for the rest of a partly accepted or canceled one: the same terms and `meta`, the same place in the
 * queue. That place is the id of the original offer: from there the ledger copies the `meta` of a stored offer.
 */
export const openRest = (book: Book, bet: Bet, { amount, description }: { amount: Micros; description: string }): Bet =>
  openOffer(
    book,
    { ...bet, requestingAmount: amount },
    { queuePlace: bet.queuePlace, description, meta: book.metaOf(bet) },
  );

export const takeStep = (book: Book, bet: Bet, facts: Facts, description: string): TrailEntry =>
  changeBet(book, bet, facts, { description });

export const CANCELED = { offerStatus: 'canceled', timedOut: false } as const;
export const EXPIRED = { offerStatus: 'expired', timedOut: true } as const;

/** As `takeStep`, of an offer that ends by something else than a request about it. */
export const endOffer = (
  book: Book,
  bet: Bet,
  { reason, ...facts }: Pick<Bet, 'offerStatus' | 'timedOut'> & { readonly reason: OfferEndReason | null },
): TrailEntry => {
  const description = facts.offerStatus === 'expired' ? 'Offer expired' : 'Offer canceled';
  return changeBet(book, bet, facts, { description, reason });
};

interface StepText {
  readonly description: string;
  /** What somebody did to the bet itself, when the change of its state does not say it. */
  readonly correction?: CorrectionKind;
  readonly reason?: OfferEndReason | null | undefined;
}

/** A step on a settled bet is refused when the bet's transactions are not what its facts say: it would give back another amount. */
const changeBet = (book: Book, bet: Bet, facts: Facts, { description, correction, reason }: StepText): TrailEntry => {
  const impactBefore = impactOf(bet, book.unit);
  const before = kindFactsOf(bet);
  const settledBefore = before.settledOutcome;
  if (settledBefore !== null && bet.paid !== impactBefore.balance) throw reject('payments-differ', String(bet.id));
  if (correction !== undefined) reviseWager(book, book.wager(bet.wagerId));
  book.updateBet(bet, facts);
  const impactAfter = impactOf(bet, book.unit);
  moveUsers(book, bet, differenceOf(impactAfter, impactBefore));
  const followed = followedFrom(before, bet);
  const trail = writeTrail(book, bet, {
    kinds: correction === undefined ? followed : [correction, ...followed.filter((kind) => kind !== correction)],
    description,
    reason,
  });
  if (settledBefore === bet.settledOutcome) return trail;
  book.notePaid(bet, impactAfter.balance);
  if (settledBefore !== null) {
    const reversal = asMicros(-impactBefore.balance);
    const description = `Settlement reversed: ${settledBefore}`;
    writeTransactions(book, bet, { trail, movement: reversal, laterMovement: impactAfter.balance, description });
  }
  if (bet.settledOutcome !== null) {
    const movement = impactAfter.balance;
    const description = `Bet settled: ${bet.settledOutcome}`;
    writeTransactions(book, bet, { trail, movement, laterMovement: ZERO, description });
  }
  return trail;
};

/** What the kinds of a step follow from. */
type KindFacts = Pick<Bet, 'offerStatus' | 'acceptingUserId' | 'overrideOutcome' | 'settledOutcome'>;

const kindFactsOf = ({ offerStatus, acceptingUserId, overrideOutcome, settledOutcome }: Bet): KindFacts => ({
  offerStatus,
  acceptingUserId,
  overrideOutcome,
  settledOutcome,
});

/** Only a correction changes the status of a matched bet. */
const statusKinds = {
  requesting: 'offer.reopened',
  accepted: 'offer.matched',
  expired: 'offer.expired',
  canceled: 'offer.canceled',
} as const satisfies Record<Bet['offerStatus'], StepKind>;

const followedFrom = (before: KindFacts, after: KindFacts): StepKind[] => {
  const kinds: StepKind[] = [];
  if (before.offerStatus !== after.offerStatus && !isMatched(before)) kinds.push(statusKinds[after.offerStatus]);
  if (before.overrideOutcome !== after.overrideOutcome) kinds.push('bet.overridden');
  if (before.settledOutcome !== after.settledOutcome) {
    kinds.push(after.settledOutcome === null ? 'bet.unsettled' : 'bet.settled');
  }
  return kinds;
};

/** As `takeStep`, and the bet also gets the state that its facts and its wager's decision then demand. */
export const restate = (book: Book, bet: Bet, facts: Facts, text: StepText): void => {
  const due = dueStateOf({ ...bet, ...facts }, book.wager(bet.wagerId));
  changeBet(book, bet, { ...facts, ...due }, text);
};

/** As `restate`, of a bet whose own facts stay: it copies nothing. */
export const followDecision = (book: Book, bet: Bet, text: StepText): void => {
  changeBet(book, bet, dueStateOf(bet, book.wager(bet.wagerId)), text);
};

const moveUsers = (book: Book, bet: Bet, difference: Impact): void => {
  book.move({ userId: bet.requestingUserId, wagerId: bet.wagerId }, difference);
  if (bet.acceptingUserId !== null) {
    book.move({ userId: bet.acceptingUserId, wagerId: bet.wagerId }, oppositeOf(difference));
  }
};

const writeTrail = (
  book: Book,
  bet: Bet,
  { kinds, description, reason }: Pick<TrailEntry, 'kinds'> & Pick<StepText, 'description' | 'reason'>,
): TrailEntry => {
  const trail: TrailEntry = {
    kinds,
    betId: bet.id,
    wagerId: bet.wagerId,
    offerStatus: bet.offerStatus,
    description,
    outcome: book.wager(bet.wagerId).outcome,
    overrideOutcome: bet.overrideOutcome,
    requestingOdds: bet.requestingOdds,
    requestingAmount: bet.requestingAmount,
    // Equal to the effective terms, because a bet is accepted once, by one acceptance.
    acceptingOdds: bet.effectiveOdds,
    acceptingAmount: bet.effectiveAmount,
    effectiveOdds: bet.effectiveOdds,
    effectiveAmount: bet.effectiveAmount,
    restBetId: null,
    reason: reason ?? null,
  };
  book.journal.addTrail(trail);
  return trail;
};

interface Settlement {
  readonly trail: TrailEntry;
  /** Positive: from the acceptor to the requester. */
  readonly movement: Micros;
  /** Of the same step, and in the balances already. */
  readonly laterMovement: Micros;
  readonly description: string;
}

/** Two opposite transactions, one for each side. A settlement that moves nothing has its two as well. */
const writeTransactions = (book: Book, bet: Bet, settlement: Settlement): void => {
  const { trail, movement, laterMovement, description } = settlement;
  if (bet.acceptingUserId === null) throw new Error(`bet ${bet.id} is settled without an acceptor`);
  const sides = [
    { userId: bet.requestingUserId, received: movement, later: laterMovement },
    { userId: bet.acceptingUserId, received: asMicros(-movement), later: -laterMovement },
  ];
  for (const { userId, received, later } of sides) {
    const amount = received < ZERO ? asMicros(-received) : received;
    const balanceAfter = asMicros(book.user(userId).balance - later);
    const transactionType = typeOf(received);
    book.journal.addTransaction({
      userId,
      amount,
      description,
      transactionType,
      transactionSource: 'bet',
      balanceAfter,
      trail,
    });
  }
};

const typeOf = (received: Micros): TransactionType => {
  if (received === ZERO) return 'no-action';
  return received > ZERO ? 'credit' : 'debit';
};

/** The text of a step that an admin may have caused. */
export const describe = (text: string, action: AdminAction | null): string => {
  if (action === null) return text;
  const reason = action.description === null ? '' : `: ${action.description}`;
  const who = action.isOwn === true ? 'the business' : `admin ${action.adminId}`;
  return `${text} by ${who} (${action.adminEmail})${reason}`;
};
