import type { AdminAction } from './admin-action.js';
import type { Micros, OddsMicros } from './money.js';
import type { DecidedOutcome, OfferStatus, Outcome, TransactionSource, TransactionType } from './outcome.js';

/*
 * The ledger's records as the core sees them: all of one account, without times (the shell writes those). What is not
 * readonly is changed by the Book alone, inside an attempt.
 */

export interface User {
  readonly id: bigint;
  readonly reference: string;
  /** The user's own preference; null: the account's decides. */
  readonly allowNegativeBalance: boolean | null;
  balance: Micros;
  exposure: Micros;
}

export interface Wager {
  readonly id: bigint;
  readonly reference: string;
  outcome: Outcome;
  /** Whose correction the outcome is; null: an ordinary decision, or none. */
  forcedBy: AdminAction | null;
  /** The outcome is decided, but some bets are not yet where it says: the worker moves them. */
  isSettling: boolean;
}

/** What a user's matched, unsettled bets on one wager come to in the two scenarios, and what it offers there. */
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
  /** The id of the offer whose place in the queue this one holds: its own, or that of the offer it is the rest of. */
  readonly queuePlace: bigint;
  /** The client's own; carried, never looked at. */
  readonly meta: unknown;
  offerStatus: OfferStatus;
  acceptingUserId: bigint | null;
  effectiveOdds: OddsMicros | null;
  effectiveAmount: Micros | null;
  overrideOutcome: Outcome | null;
  /** The outcome whose impact is in the balances now; null: the bet is not settled. */
  settledOutcome: DecidedOutcome | null;
  isActive: boolean;
}

/** The audit entry of one step in a bet's life, with the facts as the step left them. */
export interface TrailEntry {
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
}

/** One movement of one balance. The shell gives it its id, its random reference and its time. */
export interface Transaction {
  readonly userId: bigint;
  /** Never negative: the type carries the sign. */
  readonly amount: Micros;
  readonly description: string;
  readonly transactionType: TransactionType;
  readonly transactionSource: TransactionSource;
  /** The entry of the step that caused it; null for money in and out. */
  readonly trail: TrailEntry | null;
}
