import { isOpen } from './bet-state.js';
import type { Bet } from './records.js';

/*
 * The open offers of one wager, in two orders, and how many of them are loaded.
 *
 * A wager may have 10,000 offers of which an acceptance takes one, so the ledger loads slices from the front. With
 * `cover` it states: "every open offer of this scope, up to and including this place, is loaded". An operation that
 * must look past the covered part does not guess. It ends as `MoreOffers` without a trace, and the ledger loads the
 * next slice and runs it again. Coverage stays true because the wager's row is locked, so its stored offers cannot
 * change.
 *
 * Scopes: `everyone` holds all offers and is shared by all acceptances. An acceptance that may not take most of those
 * (own offers, allow-lists, one requester only) asks for a scope of its own, which PostgreSQL filters. `ownOf` is one
 * requester's offers by age, for cancels.
 */

/** An offer's place: by odds, queue place and id in matching order; by queue place and id in order of age. */
export type OfferPlace = Pick<Bet, 'requestingOdds' | 'queuePlace' | 'id'>;

export type OfferScope =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'acceptableTo'; readonly acceptingUserId: bigint; readonly requestingUserId: bigint | null }
  | { readonly kind: 'ownOf'; readonly requestingUserId: bigint };

export const EVERYONE: OfferScope = { kind: 'everyone' };

/** `all`: every offer of the scope. */
export type Coverage = OfferPlace | 'all';

type Order = (one: OfferPlace, other: OfferPlace) => number;

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

export const byAge: Order = (one, other) => compare(one.queuePlace, other.queuePlace) || compare(one.id, other.id);

/** Best first for the acceptor: lowest odds, then oldest place in the queue, then id. */
export const byOdds: Order = (one, other) => compare(one.requestingOdds, other.requestingOdds) || byAge(one, other);

/** The place behind every offer of these odds: the coverage of a slice that holds all offers up to an odds limit. */
export const endOfOdds = (requestingOdds: Bet['requestingOdds']): OfferPlace => ({
  requestingOdds,
  queuePlace: 2n ** 63n,
  id: 2n ** 63n,
});

/** Whether everything up to the place is covered. */
export const reaches = (coverage: Coverage | null, place: OfferPlace, order: Order): boolean =>
  coverage !== null && (coverage === 'all' || order(place, coverage) <= 0);

class SortedOffers {
  readonly items: Bet[] = [];
  readonly #order: Order;

  constructor(order: Order) {
    this.#order = order;
  }

  set(bet: Bet, isPresent: boolean): void {
    const index = this.#indexFor(bet);
    const found = this.items[index] === bet;
    if (isPresent && !found) this.items.splice(index, 0, bet);
    if (!isPresent && found) this.items.splice(index, 1);
  }

  /** The bet's index, or the index for inserting it. Slices arrive in order, so this tries the end first. */
  #indexFor(bet: Bet): number {
    const last = this.items.at(-1);
    if (last === undefined || this.#order(last, bet) < 0) return this.items.length;
    let low = 0;
    let high = this.items.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const item = this.items[middle];
      if (item !== undefined && this.#order(item, bet) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const scopeKey = (scope: OfferScope): string => {
  switch (scope.kind) {
    case 'everyone':
      return scope.kind;
    case 'acceptableTo':
      return `acceptableTo ${scope.acceptingUserId} ${scope.requestingUserId ?? 'any'}`;
    case 'ownOf':
      return `ownOf ${scope.requestingUserId}`;
  }
};

const furthest = (one: Coverage, other: Coverage, order: Order): Coverage => {
  if (one === 'all' || other === 'all') return 'all';
  return order(one, other) < 0 ? other : one;
};

const orderOf = (scope: OfferScope): Order => (scope.kind === 'ownOf' ? byAge : byOdds);

export class Offers {
  /** All loaded bets of the wager, open or not. */
  readonly bets = new Set<Bet>();
  readonly #open = new SortedOffers(byOdds);
  readonly #openByRequester = new Map<bigint, SortedOffers>();
  readonly #coverage = new Map<string, Coverage>();

  /** Adds the bet to the open offers or removes it, by its facts. Every change of them, also an undo, calls this. */
  place(bet: Bet): void {
    this.bets.add(bet);
    this.#setOpen(bet, isOpen(bet));
  }

  remove(bet: Bet): void {
    this.bets.delete(bet);
    this.#setOpen(bet, false);
  }

  /** In matching order. */
  open(): readonly Bet[] {
    return this.#open.items;
  }

  /** Oldest first. */
  openOf(requestingUserId: bigint): readonly Bet[] {
    return this.#openByRequester.get(requestingUserId)?.items ?? [];
  }

  /** Coverage only grows. */
  cover(scope: OfferScope, coverage: Coverage): void {
    const key = scopeKey(scope);
    const known = this.#coverage.get(key);
    this.#coverage.set(key, known === undefined ? coverage : furthest(known, coverage, orderOf(scope)));
  }

  /** How far the scope is loaded, by its own slices or by those of `everyone`, which hold every offer. */
  coverageOf(scope: OfferScope): Coverage | null {
    const everyone = this.#coverage.get(EVERYONE.kind);
    if (everyone === 'all') return 'all';
    const own = this.#coverage.get(scopeKey(scope));
    if (everyone === undefined || scope.kind === 'ownOf') return own ?? null;
    return own === undefined ? everyone : furthest(own, everyone, byOdds);
  }

  #setOpen(bet: Bet, isPresent: boolean): void {
    this.#open.set(bet, isPresent);
    const own = this.#openByRequester.get(bet.requestingUserId) ?? new SortedOffers(byAge);
    own.set(bet, isPresent);
    if (own.items.length > 0) this.#openByRequester.set(bet.requestingUserId, own);
    else this.#openByRequester.delete(bet.requestingUserId);
  }
}
