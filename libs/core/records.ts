import type { Micros, OddsMicros } from './money.js';

/* The domain's values, with the same names in code, API and database. */

export const outcomes = ['undecided', 'win', 'loss', 'push', 'half-win', 'half-loss', 'void'] as const;
export type Outcome = (typeof outcomes)[number];
export type DecidedOutcome = Exclude<Outcome, 'undecided'>;

export const offerStatuses = ['requesting', 'accepted', 'expired', 'canceled'] as const;
export type OfferStatus = (typeof offerStatuses)[number];

export const wagerStatuses = ['open', 'suspended', 'closed'] as const;
export type WagerStatus = (typeof wagerStatuses)[number];

export const transactionTypes = ['credit', 'debit', 'no-action'] as const;
export type TransactionType = (typeof transactionTypes)[number];

export const transactionSources = ['funding', 'bet', 'withdrawal', 'correction'] as const;
export type TransactionSource = (typeof transactionSources)[number];

/** The admin who corrects, and the reason. The trail entries of the correction name both. */
export interface AdminAction {
  readonly adminId: bigint;
  readonly adminEmail: string;
  readonly description: string | null;
  /** The business itself corrects its decision, and no admin. */
  readonly isOwn?: boolean;
}

/* What an entry of an account's event log is about. */

/** The log stores these numbers: a number never gets another meaning. */
export const eventKinds = {
  'log.opened': 0,
  'user.created': 1,
  'user.updated': 2,
  'transaction.created': 3,
  'offer.made': 4,
  'offer.matched': 5,
  'offer.canceled': 6,
  'offer.expired': 7,
  'offer.reopened': 8,
  'bet.settled': 9,
  'bet.unsettled': 10,
  'bet.overridden': 11,
  'bet.activated': 12,
  'bet.deactivated': 13,
  'wager.created': 14,
  'wager.decided': 15,
  'wager.corrected': 16,
  'wager.settled': 17,
  'wager.canceling': 18,
  'account.updated': 19,
  'webhook.created': 21,
  'webhook.updated': 22,
  'webhook.disabled': 23,
  'webhook.deleted': 24,
  'user.disputed': 25,
  'user.undisputed': 26,
  'wager.suspended': 27,
  'wager.resumed': 28,
  'wager.closed': 29,
  'wager.changed': 30,
  'change_request.created': 40,
  'change_request.approved': 41,
  'change_request.executed': 42,
  'change_request.rejected': 43,
  'change_request.withdrawn': 44,
  'change_request.expired': 45,
  'change_request.failed': 46,
} as const;

export type EventKind = keyof typeof eventKinds;

/** Of one step of a bet: its event names the step's trail entry. */
export type StepKind = Extract<EventKind, `offer.${string}` | `bet.${string}`>;

/** What an admin or a business does to a bet itself; all other kinds follow from the bet's state. */
export type CorrectionKind = 'bet.overridden' | 'bet.activated' | 'bet.deactivated';

export type WagerKind = Extract<EventKind, `wager.${string}`>;

/** The numbers of all kinds whose event names a trail entry stand in this range. */
export const stepKinds = { first: eventKinds['offer.made'], last: eventKinds['bet.deactivated'] } as const;

/*
 * The ledger's records as the core sees them: all of one account. Only the Book changes the fields that are not readonly,
 * inside an attempt. The times in them decide something or are answered; the ledger writes all others.
 */

/** A time: microseconds since 1970, by PostgreSQL's clock. */
export type Moment = bigint;

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
  /** Whether it takes offers and acceptances. Past `closesAt` it is closed, whatever this says (`statusAt`). */
  status: WagerStatus;
  /** What the business gave as the reason of a suspension or an end. */
  statusReason: string | null;
  closesAt: Moment | null;
  /** The label of what it is one of several wagers on, for example a match, and when that starts. They decide nothing. */
  event: string | null;
  startsAt: Moment | null;
  /** Grows with each decision, correction and change of status, of `closesAt` or of one of its bets by an admin. */
  revision: number;
  /** Whether it has ever had an offer that ends when it is suspended, and one that ends at a time. */
  hasSuspendable: boolean;
  hasExpiring: boolean;
  /** Since when bets are pending under the outcome, for the worker to move; null: none is. */
  settlingSince: Moment | null;
  /** Every accepted bet up to this id is where the outcome says: the worker has moved it. */
  settledUpTo: bigint;
  /** A decision voids the bets that were matched from then on, and some may still wait for it; null: none does. */
  voidFrom: Moment | null;
  /** In the order in which the cancels came. The list is replaced, never changed. */
  pendingCancels: readonly PendingCancel[];
  readonly createdAt: Moment;
  updatedAt: Moment;
}

/** Why an offer ended other than by a request about it or by its wager's outcome. */
export type OfferEndReason = 'suspended' | 'time' | 'timer';

/**
 * What a cancel has left to the worker: offers of a user, or of all, of these odds, up to a place in the order of age, that were
 * open when it came. They are canceling: nothing but the end of their cancellation can happen to them.
 */
export interface PendingCancel {
  /** Drawn from the ids of bets: every bet made before has a lower one, and every later bet and cancel a higher one. */
  readonly position: bigint;
  /** Null: of every user. */
  readonly userId: bigint | null;
  /** Null: any odds. */
  readonly minimumOdds: OddsMicros | null;
  readonly maximumOdds: OddsMicros | null;
  /** Only offers that end when their wager is suspended. */
  readonly onlyOnSuspend: boolean;
  /** Null: a request of the user. */
  readonly reason: OfferEndReason | null;
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
  /** From then on no acceptance takes the offer; null: it ends at no time. */
  readonly expiresAt: Moment | null;
  /** Whether a suspension or the end of its wager cancels the offer. */
  readonly cancelOnSuspend: boolean;
  offerStatus: OfferStatus;
  acceptingUserId: bigint | null;
  acceptedAt: Moment | null;
  /** The offer has expired at its time: it stays so, whatever becomes of its wager's outcome. */
  timedOut: boolean;
  effectiveOdds: OddsMicros | null;
  effectiveAmount: Micros | null;
  overrideOutcome: Outcome | null;
  /** The outcome whose impact is in the balances now; null: the bet is not settled. */
  settledOutcome: DecidedOutcome | null;
  isActive: boolean;
  /** The position of the last cancel that spares the offer because it was not open then; null: there is none. */
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
  readonly reason: OfferEndReason | null;
}

/** One movement of one balance. The ledger adds its time and its id, from which its reference follows. */
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
  /** Of funding and withdrawals: what the business calls it, and its free data. */
  readonly ownReference?: string;
  readonly meta?: unknown;
}
