import type { Micros, OddsMicros } from './money.js';
import type { OfferPlace, OfferScope } from './offers.js';
import type { Outcome } from './outcome.js';

/*
 * What an operation needs in the Book, said as data, so that the shell loads for any number of operations at once.
 * The wagers come first and locked; with them held, everything else can be read once and truly. Implied throughout:
 *  - a bet (named, candidate or pending) brings its wager and both its users;
 *  - each locked user brings its position in each wager that it touches (an empty one where none is stored): the acting
 *    user in the wagers that its operation names, also by a bet's id; both users of a bet in the bet's wager;
 *  - the Book throws when it is asked for a user or a position that was not loaded, and takes a name that was not
 *    loaded for one that does not exist.
 */

/** At least one is given; when both are, they must name the same user. */
export interface UserIdentifier {
  readonly id?: bigint | undefined;
  readonly reference?: string | undefined;
}

export type WagerIdentifier = { readonly id: bigint } | { readonly reference: string };

/** Open offers of a wager in matching order, from the front; for as much as `amount`, or as far as a slice goes. */
export interface MatchingOffersNeed {
  readonly wagerReference: string;
  readonly acceptingUser: UserIdentifier;
  readonly requestingUser: UserIdentifier | null;
  readonly maximumOdds: OddsMicros;
  readonly amount: Micros;
}

/** Open offers of one user in some wagers, oldest first; all of them when there is no `amount`. */
export interface OwnOffersNeed {
  readonly wagerReferences: readonly string[];
  readonly requestingUser: UserIdentifier;
  readonly amount: Micros | null;
}

/**
 * `limit` bets of the wager, or all if there are fewer, for which `isPending(bet, outcome)` (bet-state.ts), unmatched
 * ones first. Outcome null: the one that the wager has.
 */
export interface PendingBetsNeed {
  readonly wager: WagerIdentifier;
  readonly outcome: Outcome | null;
  readonly limit: number;
  /** Told with `Book.countPending`: how many such bets there are in all. */
  readonly isCounted: boolean;
}

export interface Needs {
  /** Users whose money or positions may move. */
  readonly users: readonly UserIdentifier[];
  /** Users that are only named: no lock, no money (`Book.nameUser`). */
  readonly namedUsers: readonly UserIdentifier[];
  readonly wagers: readonly WagerIdentifier[];
  readonly betIds: readonly bigint[];
  readonly matchingOffers: MatchingOffersNeed | null;
  readonly ownOffers: OwnOffersNeed | null;
  readonly pendingBets: PendingBetsNeed | null;
  /** How many ids the operation draws at most. */
  readonly newBets: 0 | 1;
  readonly newWagers: 0 | 1;
}

const NOTHING: Needs = {
  users: [],
  namedUsers: [],
  wagers: [],
  betIds: [],
  matchingOffers: null,
  ownOffers: null,
  pendingBets: null,
  newBets: 0,
  newWagers: 0,
};

export const needs = (some: Partial<Needs>): Needs => ({ ...NOTHING, ...some });

/**
 * Not a refusal: the offers that were loaded do not suffice to decide. The shell loads the next slice of the scope,
 * says so with `Book.cover` for each of the wagers, and runs the operation again.
 */
export class MoreOffers {
  readonly scope: Exclude<OfferScope, { kind: 'everyone' }>;
  readonly wagerIds: readonly bigint[];
  /** Offers above it are of no use; null: any odds. */
  readonly maximumOdds: OddsMicros | null;
  /** Everything up to here is loaded; null: nothing is. */
  readonly after: OfferPlace | null;

  constructor(wanted: Pick<MoreOffers, 'scope' | 'wagerIds' | 'maximumOdds' | 'after'>) {
    this.scope = wanted.scope;
    this.wagerIds = wanted.wagerIds;
    this.maximumOdds = wanted.maximumOdds;
    this.after = wanted.after;
  }
}
