import type { Outcome } from '#core/outcome.js';

/*
 * A history as plain data. A step names what it is about by an index that counts on and on through what exists when it
 * is played, so each subset of steps is a history too: that is what makes histories easy to shorten. Amounts and odds are
 * whole millionths.
 */

export interface UserName {
  /** Counted from the first user; where the step is about one bet, from that bet's requester. */
  readonly user: number;
  readonly by: NamedBy;
}

/** `two`: by the id of this one and the reference of the next. */
export type NamedBy = 'id' | 'reference' | 'both' | 'two' | 'unknown' | 'nothing';

export interface BetName {
  /** Where there are none of these: any; `unknown`: none at all. */
  readonly among: 'any' | 'open' | 'accepted' | 'settled' | 'expired' | 'inactive' | 'unknown';
  readonly index: number;
}

export type SingleStep =
  | {
      readonly do: 'offer';
      readonly who: UserName;
      readonly wager: number;
      readonly odds: number;
      readonly amount: number;
      /** Users; -1: nobody. */
      readonly allowed: readonly number[];
      readonly isAllowedById: boolean;
    }
  | {
      readonly do: 'accept';
      readonly who: UserName;
      readonly of: UserName | null;
      readonly bet: BetName;
      /** Just that bet, or the best offers of its wager. */
      readonly where: 'bet' | 'wager' | 'nowhere';
      readonly odds: number;
      readonly amount: number;
    }
  | {
      readonly do: 'cancel';
      readonly who: UserName;
      readonly wagers: readonly number[];
      readonly amount: number | null;
      readonly isAll: boolean;
      readonly minimumOdds: number | null;
      readonly maximumOdds: number | null;
    }
  | {
      readonly do: 'cancel-one';
      readonly who: UserName;
      readonly bet: BetName;
      readonly amount: number | null;
      readonly isAll: boolean;
    }
  | { readonly do: 'decide'; readonly wager: number; readonly outcome: Outcome; readonly bound: number }
  | { readonly do: 'force'; readonly wager: number; readonly outcome: Outcome; readonly bound: number }
  | { readonly do: 'chunk'; readonly wager: number; readonly bound: number }
  | { readonly do: 'override'; readonly bet: BetName; readonly outcome: Outcome }
  | { readonly do: 'force-override'; readonly bet: BetName; readonly outcome: Outcome | null }
  | { readonly do: 'set-active'; readonly bet: BetName; readonly isActive: boolean }
  | { readonly do: 'fund'; readonly who: UserName; readonly amount: number }
  | { readonly do: 'withdraw'; readonly who: UserName; readonly amount: number };

export interface BatchStep {
  readonly do: 'batch';
  readonly steps: readonly SingleStep[];
  readonly isIdRepeated: boolean;
}

export type Step = SingleStep | BatchStep;

export interface World {
  readonly allowNegativeBalance: boolean;
  /** What they start with, and whether they may go negative; null: as the account says. */
  readonly users: readonly { readonly start: number; readonly preference: boolean | null }[];
}

export interface History {
  readonly world: World;
  readonly steps: readonly Step[];
}
