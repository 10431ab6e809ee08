import type { AdminAction } from './admin-action.js';
import type { StepKind } from './event-kind.js';
import type { Micros, OddsMicros } from './money.js';
import type { DecidedOutcome, OfferStatus, Outcome, TransactionSource, TransactionType } from './outcome.js';

/*
 * The ledger's records as the core sees them: all of one account, without times, which the ledger writes. Only the Book
 * changes the fields that are not readonly, inside an attempt.
 */

export interface User {
  readonly id: bigint;
  readonly reference: string;
  /** The user's preference; null: the account's preference decides. */
  readonly allowNegativeBalance: boolean | null;
  /** A check found its figures wrong: until they agree it commits no money and takes none out. */
  readonly isDisputed: boolean;
  balance: Micros;
  exposure: Micros;
}

export interface Wager {
  readonly id: bigint;
  readonly reference: string;
  outcome: Outcome;
  /** The admin who forced the outcome; null: an ordinary decision, or none. */
  forcedBy: AdminAction | null;
  /** Whether bets are still pending under the outcome, for the worker to move. */
  isSettling: boolean;
  /** In the order in which the cancels came. The list is replaced, never changed. */
  pendingCancels: readonly PendingCancel[];
}

/**
 * What a cancel has left to the worker: the user's offers of these odds, up to a place in the order of age, that were open
 * when it came. They are named: nothing but the end of their cancellation can happen to them.
 */
export interface PendingCancel {
  /** Drawn from the ids of bets: every bet made before has a lower one, and every later bet and cancel a higher one. */
  readonly position: bigint;
  readonly userId: bigint;
  /** Null: any odds. */
  readonly minimumOdds: OddsMicros | null;
  readonly maximumOdds: OddsMicros | null;
  readonly upTo: Pick<Bet, 'queuePlace' | 'id'>;
}

/** A user's results from matched, unsettled bets on one wager in the two scenarios, and the sum of its open offers. */
export interface Position {
  readonly userId: bigint;
  readonly wagerId: bigint;
  win: Micros;
  loss: Micros;
  offered: Micros;
}

export interface Bet {
  readonly id: bigint;
  readonly wagerId: bigint;
  readonly requestingUserId: bigint;
  readonly requestingOdds: OddsMicros;
  readonly requestingAmount: Micros;
  /** Empty: every user may accept. */
  readonly allowedAcceptorIds: readonly bigint[];
  /** The id of the offer whose place in the queue this one has: its own, or that of the offer it is the rest of. */
  readonly queuePlace: bigint;
  offerStatus: OfferStatus;
  acceptingUserId: bigint | null;
  effectiveOdds: OddsMicros | null;
  effectiveAmount: Micros | null;
  overrideOutcome: Outcome | null;
  /** The outcome whose impact is in the balances now; null: the bet is not settled. */
  settledOutcome: DecidedOutcome | null;
  isActive: boolean;
  /** The position of the last cancel that does not name the offer because it was not open then; null: there is none. */
  sparedUpTo: bigint | null;
  /**
   * What the transactions of a settled bet have moved from its acceptor to its requester, which a correction gives back. Null:
   * they do not say, because those of the two users differ.
   */
  paid: Micros | null;
}

/** The audit entry of one step in a bet's life, with the facts as the step left them. */
export interface TrailEntry {
  /** What the step was, and what followed from it: a forced override may also settle the bet. At least one. */
  readonly kinds: readonly StepKind[];
  readonly betId: bigint;
  readonly wagerId: bigint;
  readonly offerStatus: OfferStatus;
  readonly description: string;
  /** The wager's outcome at that step. */
  readonly outcome: Outcome;
  readonly overrideOutcome: Outcome | null;
  readonly requestingOdds: OddsMicros;
  readonly requestingAmount: Micros;
  readonly acceptingOdds: OddsMicros | null;
  readonly acceptingAmount: Micros | null;
  readonly effectiveOdds: OddsMicros | null;
  readonly effectiveAmount: Micros | null;
  /** The new bet that carries what the step left of an offer. */
  restBetId: bigint | null;
}

/** One movement of one balance. The ledger adds its id, its random reference and its time. */
export interface Transaction {
  readonly userId: bigint;
  /** Never negative: the type carries the sign. */
  readonly amount: Micros;
  readonly description: string;
  readonly transactionType: TransactionType;
  readonly transactionSource: TransactionSource;
  /** The user's balance after it. */
  readonly balanceAfter: Micros;
  /** The entry of the step that caused it; null for funding and withdrawals. */
  readonly trail: TrailEntry | null;
}
