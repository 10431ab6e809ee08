import type { Outcome } from '#core/outcome.js';

/*
 * The second ledger: the rules of the ledger once more, in the most obvious way. It keeps facts alone and recomputes all
 * figures from all facts after each step. It shares types with the core and not one function, so a mistake would have to
 * be made twice to go unseen.
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
  /** Whether the outcome is an admin's correction. */
  isForced: boolean;
  /** Some of its bets may not know of the outcome yet. */
  isSettling: boolean;
}

/** What was agreed and done. Its status and its figures follow (recompute.ts). */
export interface BetFacts {
  readonly id: bigint;
  readonly wagerId: bigint;
  readonly requesterId: bigint;
  readonly odds: bigint;
  readonly amount: bigint;
  /** Empty: everybody. */
  readonly allowedAcceptorIds: readonly bigint[];
  /** The id of the first offer in its line: the rest of an offer stands where that offer stood. */
  readonly queuePlace: bigint;
  acceptance: { readonly acceptorId: bigint; readonly amount: bigint } | null;
  isCanceled: boolean;
  isActive: boolean;
  /** An admin's deciding override hides the bet's status behind `expired`; a business's does not. */
  override: { readonly outcome: Outcome; readonly isForced: boolean } | null;
  /** The wager's outcome as far as it has reached this bet. */
  reachedBy: Outcome;
}

/** Money that came in (positive) or went out. */
export interface Payment {
  readonly userId: bigint;
  readonly amount: bigint;
}

export interface Facts {
  /** The account's preference. */
  readonly allowNegativeBalance: boolean;
  readonly users: readonly UserFacts[];
  readonly wagers: WagerFacts[];
  readonly bets: BetFacts[];
  readonly payments: Payment[];
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
