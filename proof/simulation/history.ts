import type { Outcome } from '#core/records.js';

/*
 * A history as plain data. A step refers to users and bets by an index, modulo the number that exist when the step is
 * played. So any subset of the steps is a history too, which makes histories easy to shorten. Amounts and odds are
 * whole millionths.
 */

export interface UserName {
  /** Counts from the first user or, in a step about one bet, from that bet's requester. */
  readonly user: number;
  readonly by: NamedBy;
}

/** `two`: by the id of this user and the reference of the next one. */
export type NamedBy = 'id' | 'reference' | 'both' | 'two' | 'unknown' | 'nothing';

export interface BetName {
  /** Any bet when there are none of this kind; `unknown`: an id that no bet has. */
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
      /** Indexes of users; -1: a user that does not exist. */
      readonly allowed: readonly number[];
      readonly isAllowedById: boolean;
      /** After so many steps; undefined: by nothing but requests and outcomes. */
      readonly endsInSteps?: number;
      readonly isEndGivenInSeconds?: boolean;
      readonly endsOnSuspend?: boolean;
    }
  | {
      readonly do: 'accept';
      readonly who: UserName;
      readonly of: UserName | null;
      readonly bet: BetName;
      /** Accepts that bet alone, or the best offers of its wager; `nowhere` names neither. */
      readonly where: 'bet' | 'wager' | 'nowhere';
      readonly odds: number;
      readonly amount: number;
      readonly bound: number;
    }
  | {
      readonly do: 'cancel';
      readonly who: UserName;
      readonly wagers: readonly number[];
      readonly amount: number | null;
      readonly isAll: boolean;
      readonly minimumOdds: number | null;
      readonly maximumOdds: number | null;
      readonly bound: number;
    }
  | {
      readonly do: 'cancel-one';
      readonly who: UserName;
      readonly bet: BetName;
      readonly amount: number | null;
      readonly isAll: boolean;
    }
  | {
      readonly do: 'decide' | 'force';
      readonly wager: number;
      readonly outcome: Outcome;
      readonly bound: number;
      /** Voids what was matched in the last so many steps; undefined: nothing. */
      readonly voidsSteps?: number;
    }
  | { readonly do: 'cancel-chunk'; readonly wager: number; readonly bound: number }
  | { readonly do: 'chunk'; readonly wager: number; readonly bound: number }
  | { readonly do: 'override'; readonly bet: BetName; readonly outcome: Outcome }
  | { readonly do: 'force-override'; readonly bet: BetName; readonly outcome: Outcome | null }
  | { readonly do: 'set-active'; readonly bet: BetName; readonly isActive: boolean }
  | {
      readonly do: 'suspend';
      readonly wager: number;
      readonly reason: string | null;
      readonly cancelsOffers: boolean;
    }
  | { readonly do: 'resume'; readonly wager: number }
  | { readonly do: 'close'; readonly wager: number; readonly reason: string | null }
  /** Null: at no time. Undefined: as before. */
  | {
      readonly do: 'schedule';
      readonly wager: number;
      readonly inSteps: number | null | undefined;
      readonly event: string | null | undefined;
      readonly startsInSteps: number | null | undefined;
    }
  | { readonly do: 'clock'; readonly wager: number; readonly bound: number }
  /** Of a user, or of all (null). It fired when that bet was the last one. */
  | {
      readonly do: 'timer';
      readonly wager: number;
      readonly user: number | null;
      readonly last: BetName;
      readonly bound: number;
    }
  | { readonly do: 'fund'; readonly who: UserName; readonly amount: number }
  | { readonly do: 'withdraw'; readonly who: UserName; readonly amount: number };

export interface BatchStep {
  readonly do: 'batch';
  readonly steps: readonly SingleStep[];
  readonly isIdRepeated: boolean;
}

export type Step = SingleStep | BatchStep;

export interface StartingAccount {
  readonly allowNegativeBalance: boolean;
  /** Null: it set none. */
  readonly decimals: number | null;
  /** Each user's balance at the start, and whether it may go negative; null: the account's setting decides. */
  readonly users: readonly { readonly start: number; readonly preference: boolean | null }[];
}

export interface History {
  readonly account: StartingAccount;
  readonly steps: readonly Step[];
}
