import type { Micros, OddsMicros } from './money.js';
import type { OddsRange } from './offers.js';
import type { Moment, Outcome } from './records.js';

/*
 * The records that an operation needs in the Book, as data, so that the ledger can load for many operations at once.
 * The ledger locks the wagers first. Their offers and positions cannot change then, so it reads everything else once.
 * All needs imply:
 *  - with a bet (by id, an open offer or a pending one) the ledger loads its wager and both its users;
 *  - with each locked user it loads the user's position in each wager that it touches (a lone offer or an empty one
 *    where none is stored): the acting user in the wagers that its operation names, also by a bet's id; both users of
 *    a bet in the bet's wager;
 *  - the Book throws for a user or a position that was not loaded, and treats a name that was not loaded as unknown.
 */

/** At least one is given; when both are, they must name the same user. */
export interface UserIdentifier {
  readonly id?: bigint | undefined;
  readonly reference?: string | undefined;
}

export type WagerIdentifier = { readonly id: bigint } | { readonly reference: string };

/** Open offers of a wager in matching order, from the front: for up to `amount`, or one slice. */
interface MatchingOffersNeed {
  readonly wagerReference: string;
  readonly maximumOdds: OddsMicros;
  readonly amount: Micros;
}

/** Open offers of one user in some wagers, oldest first: one slice. */
export interface OwnOffersNeed extends OddsRange {
  readonly wagerReferences: readonly string[];
  readonly requestingUser: UserIdentifier;
}

/**
 * `limit` bets of the wager, or all if there are fewer, for which `isPending` (impact.ts) under the outcome and the earlier of
 * `voidFrom` and the wager's own, unmatched ones first. Outcome null: the wager's own outcome. The ledger examines a limited number of accepted bets; where it finds
 * too few among them and more are behind, it tells the Book: by `noteExamined`, or by a count that is an estimate.
 */
export interface PendingBetsNeed {
  readonly wager: WagerIdentifier;
  readonly outcome: Outcome | null;
  readonly voidFrom: Moment | null;
  readonly limit: number;
  /**
   * How many such bets the caller counted before the transaction. The ledger passes to `Book.countPending` the number of the
   * loaded ones when it found them all, else this as an estimate. Null: no operation asks for it.
   */
  readonly counted: number | null;
}

export interface Needs {
  /** Users whose money or positions may move. */
  readonly users: readonly UserIdentifier[];
  /** Users of whom only the id and the reference are needed: no lock, no money (`Book.nameUser`). */
  readonly namedUsers: readonly UserIdentifier[];
  readonly wagers: readonly WagerIdentifier[];
  readonly betIds: readonly bigint[];
  readonly matchingOffers: MatchingOffersNeed | null;
  readonly ownOffers: OwnOffersNeed | null;
  readonly pendingBets: PendingBetsNeed | null;
  /** What the business calls new movements of money: the ledger claims each, and tells the Book which are taken. */
  readonly ownReferences: readonly string[];
  /** How many ids the operation draws at most; the ledger reserves them. */
  readonly newBets: 0 | 1 | 2;
  readonly newWagers: 0 | 1;
}

export const NO_NEEDS: Needs = {
  users: [],
  namedUsers: [],
  wagers: [],
  betIds: [],
  matchingOffers: null,
  ownOffers: null,
  pendingBets: null,
  ownReferences: [],
  newBets: 0,
  newWagers: 0,
};
