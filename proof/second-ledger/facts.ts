import type { Outcome, WagerStatus } from '#core/records.js';

/*
 * The second ledger implements the rules again, in the most obvious way. It stores only facts and recomputes all
 * figures from all facts after each task. It shares types with the core, but no function, so only a mistake made in
 * both goes unnoticed.
 */

export interface UserFacts {
  readonly id: bigint;
  readonly reference: string;
  /** Null: the account's preference decides. */
  readonly allowNegativeBalance: boolean | null;
  readonly startBalance: bigint;
}

export interface WagerFacts {
  readonly id: bigint;
  readonly reference: string;
  outcome: Outcome;
  /** Whether an admin forced the outcome. */
  isForced: boolean;
  /** Whether the outcome may not have reached all of its bets yet. */
  isSettling: boolean;
  /** What a request or the worker has made of it. Past `closesAt` it is closed all the same. */
  status: WagerStatus;
  statusReason: string | null;
  closesAt: bigint | null;
  event: string | null;
  startsAt: bigint | null;
  /** While its decision still has to void bets that were matched from then on. */
  voidFrom: bigint | null;
  revision: number;
  /** Cancels whose offers are not all canceled yet, in their order. */
  pendingCancels: readonly PendingCancelFacts[];
}

export const newWagerFacts = (id: bigint, reference: string): WagerFacts => ({
  id,
  reference,
  outcome: 'undecided',
  isForced: false,
  isSettling: false,
  status: 'open',
  statusReason: null,
  closesAt: null,
  event: null,
  startsAt: null,
  voidFrom: null,
  revision: 0,
  pendingCancels: [],
});

/** The offers that a cancel has left: those that it found open. */
export interface PendingCancelFacts {
  readonly betIds: ReadonlySet<bigint>;
  /** A suspension made it: a later one that takes as much stands in its place. */
  readonly bySuspension?: 'some' | 'all';
  /** The same of a timer: whose it is. */
  readonly byTimerOf?: bigint | 'everybody';
  /** Of a timer: the last bet that was there when it fired. */
  readonly upTo?: bigint;
}

/** The facts of a bet. Its status and its figures follow from them (picture.ts). */
export interface BetFacts {
  readonly id: bigint;
  readonly wagerId: bigint;
  readonly requesterId: bigint;
  readonly odds: bigint;
  readonly amount: bigint;
  /** Empty: every user may accept. */
  readonly allowedAcceptorIds: readonly bigint[];
  /** The id of the first offer in its line: the rest of an offer has that offer's place. */
  readonly queuePlace: bigint;
  readonly expiresAt: bigint | null;
  readonly endsOnSuspend: boolean;
  /** `at`: null where a log alone says that it happened. */
  acceptance: { readonly acceptorId: bigint; readonly amount: bigint; readonly at: bigint | null } | null;
  isTimedOut: boolean;
  isCanceled: boolean;
  isActive: boolean;
  /** A matched bet is `expired` while an admin's decided override stands; a business's override leaves its status. */
  override: { readonly outcome: Outcome; readonly isForced: boolean } | null;
  /** The latest outcome of the wager that has reached this bet. */
  reachedBy: Outcome;
}

/** The facts of a bet to which nothing has happened since it was made. */
export const NEW_BET = {
  isTimedOut: false,
  acceptance: null,
  isCanceled: false,
  isActive: true,
  override: null,
  reachedBy: 'undecided',
} as const;

/** Funding (positive) or a withdrawal (negative). */
export interface Payment {
  readonly userId: bigint;
  readonly amount: bigint;
  readonly ownReference?: string | undefined;
}

/** In the order in which a ledger makes them. */
export interface GivenIds {
  readonly wagers: readonly bigint[];
  readonly bets: readonly bigint[];
}

export interface Facts {
  /** The account's preference. */
  readonly allowNegativeBalance: boolean;
  /** How many the account's amounts may have; null: it set none. */
  readonly decimals: number | null;
  readonly users: readonly UserFacts[];
  /** The time at which tasks run. */
  readonly now: bigint;
  /** Those of a ledger that this one follows; beyond them it counts. */
  readonly ids?: GivenIds | undefined;
  /** The bets that a ledger which this one follows moves before others: the rules leave open which ones a bound cuts off. */
  readonly movesFirst?: ReadonlySet<bigint> | undefined;
  readonly wagers: WagerFacts[];
  readonly bets: BetFacts[];
  readonly payments: Payment[];
  /** Bets have ids in their order; a cancel that leaves offers uses one up. */
  nextBetId: bigint;
}

export const FIRST_WAGER_ID = 11n;
export const FIRST_BET_ID = 101n;

export const copyOf = (facts: Facts): Facts => ({
  ...facts,
  wagers: facts.wagers.map((wager) => ({ ...wager })),
  bets: facts.bets.map((bet) => ({ ...bet })),
  payments: [...facts.payments],
});

export const wagerOf = (facts: Facts, { wagerId }: Pick<BetFacts, 'wagerId'>): WagerFacts => {
  const wager = facts.wagers.find(({ id }) => id === wagerId);
  if (wager === undefined) throw new Error(`there is no wager ${wagerId}`);
  return wager;
};
