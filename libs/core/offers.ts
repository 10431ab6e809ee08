import { type Decision, isOpen, isPastItsTime, isPending } from './impact.js';
import { ODDS_ONE, type OddsMicros } from './money.js';
import type { Bet, Moment, PendingCancel, Wager } from './records.js';

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
 * requester's offers by age, for cancels. Offers that a pending cancel is still to reach (canceling ones)
 * belong to none of these: they are in `canceling` alone, which the worker reads to cancel them. Offers whose time has come
 * are in no acceptance: the ledger leaves them out of its slices, and the core looks again. The worker expires those of `due`.
 */

/** An offer's place: by odds, queue place and id in matching order; by queue place and id in order of age. */
export type OfferPlace = Pick<Bet, 'requestingOdds' | 'queuePlace' | 'id'>;

export type OfferScope =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'acceptableTo'; readonly acceptingUserId: bigint; readonly requestingUserId: bigint | null }
  | OwnOffers
  | { readonly kind: 'due'; readonly now: Moment }
  | { readonly kind: 'canceling'; readonly cancel: PendingCancel };

export interface OwnOffers extends OddsRange {
  readonly kind: 'ownOf';
  readonly requestingUserId: bigint;
}

/** Null: no limit. */
export interface OddsRange {
  readonly minimumOdds: OddsMicros | null;
  readonly maximumOdds: OddsMicros | null;
}

export const EVERYONE: OfferScope = { kind: 'everyone' };

/** `all`: every offer of the scope. */
export type Coverage = OfferPlace | 'all';

type Order = (one: OfferPlace, other: OfferPlace) => number;

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

export const byAge: Order = (one, other) => compare(one.queuePlace, other.queuePlace) || compare(one.id, other.id);

/** Best first for the acceptor: lowest odds, then oldest place in the queue, then id. */
export const byOdds: Order = (one, other) => compare(one.requestingOdds, other.requestingOdds) || byAge(one, other);

/** The largest 64-bit integer: places are compared in PostgreSQL too, as integers, which an index holds in order. */
const LAST_ID = 2n ** 63n - 1n;

/** The place behind every offer of these odds: the coverage of a slice that holds all offers up to an odds limit. */
export const endOfOdds = (requestingOdds: Bet['requestingOdds']): OfferPlace => ({
  requestingOdds,
  queuePlace: LAST_ID,
  id: LAST_ID,
});

/** Whether everything up to the place is covered. */
export const reaches = (coverage: Coverage | null, place: OfferPlace, order: Order): boolean =>
  coverage !== null && (coverage === 'all' || order(place, coverage) <= 0);

const scopeKey = (scope: OfferScope): string => {
  switch (scope.kind) {
    case 'everyone':
      return scope.kind;
    case 'acceptableTo':
      return `acceptableTo ${scope.acceptingUserId} ${scope.requestingUserId ?? 'any'}`;
    case 'ownOf':
      return `ownOf ${scope.requestingUserId} ${rangeKey(scope)}`;
    case 'due':
      return `due ${scope.now}`;
    case 'canceling':
      return `canceling ${scope.cancel.position}`;
  }
};

const rangeKey = ({ minimumOdds, maximumOdds }: OddsRange): string => `${minimumOdds} ${maximumOdds}`;

const isWithin = ({ minimumOdds, maximumOdds }: OddsRange, { requestingOdds }: Bet): boolean =>
  (minimumOdds === null || requestingOdds >= minimumOdds) && (maximumOdds === null || requestingOdds <= maximumOdds);

const cancels = (cancel: PendingCancel, bet: Bet): boolean =>
  isOpen(bet) &&
  (cancel.userId === null || bet.requestingUserId === cancel.userId) &&
  (!cancel.onlyOnSuspend || bet.cancelOnSuspend) &&
  bet.id < cancel.position &&
  (bet.sparedUpTo === null || bet.sparedUpTo < cancel.position) &&
  isWithin(cancel, bet) &&
  byAge(bet, { ...cancel.upTo, requestingOdds: bet.requestingOdds }) <= 0;

/** Whether an open offer belongs to the scope. */
export const isIn = (scope: OfferScope, bet: Bet): boolean => {
  switch (scope.kind) {
    case 'everyone':
      return true;
    case 'acceptableTo':
      return (
        bet.requestingUserId !== scope.acceptingUserId &&
        (scope.requestingUserId === null || bet.requestingUserId === scope.requestingUserId) &&
        isAllowed(bet, scope.acceptingUserId)
      );
    case 'ownOf':
      return bet.requestingUserId === scope.requestingUserId && isWithin(scope, bet);
    case 'due':
      return isPastItsTime(bet, scope.now);
    case 'canceling':
      return cancels(scope.cancel, bet);
  }
};

export const isAllowed = (bet: Bet, acceptingUserId: bigint): boolean =>
  bet.allowedAcceptorIds.length === 0 || bet.allowedAcceptorIds.includes(acceptingUserId);

const furthest = (one: Coverage, other: Coverage, order: Order): Coverage => {
  if (one === 'all' || other === 'all') return 'all';
  return order(one, other) <= 0 ? other : one;
};

export const orderOf = (scope: OfferScope): Order =>
  scope.kind === 'everyone' || scope.kind === 'acceptableTo' ? byOdds : byAge;

/** Bets of a wager that are pending under a decision and are not loaded. */
export interface UnloadedPending {
  readonly count: number;
  /** They were counted before the transaction: since then others may have come, and some may have gone. */
  readonly isEstimate: boolean;
}
type CountedPending = Pick<UnloadedPending, 'isEstimate'> & { readonly total: number };

const decisionKey = ({ outcome, voidFrom }: Decision): string => `${outcome} ${voidFrom}`;

const NO_PENDING: UnloadedPending = { count: 0, isEstimate: false };

interface Covered {
  readonly coverage: Coverage;
  /** How many offers stand behind it; undefined: not counted. */
  readonly behindCount: number | undefined;
}

/** What a Book knows of the bets of one wager. */
export class Offers {
  /** An operation of this Book created the wager: the database holds nothing of it. */
  readonly isNew: boolean;
  /** All loaded bets of the wager, open or not. */
  readonly bets = new Set<Bet>();
  /** The ledger looked for pending bets among the accepted ones up to this id. Undefined: among all. */
  examinedUpTo: bigint | undefined;
  readonly #open = new SortedOffers(byOdds);
  readonly #openByRequester = new Map<bigint, SortedOffers>();
  readonly #covered = new Map<string, Covered>();
  readonly #unloadedPending = new Map<string, UnloadedPending & { readonly decision: Decision }>();
  #pendingCancels: readonly PendingCancel[] = [];

  constructor({ isNew }: { readonly isNew: boolean }) {
    this.isNew = isNew;
    if (isNew) this.cover(EVERYONE, 'all');
  }

  /** Adds the bet to the open offers or removes it, by its facts. Every change of them, also an undo, calls this. */
  update(bet: Bet): void {
    this.bets.add(bet);
    this.#setOpen(bet, isOpen(bet) && this.cancelOf(bet) === undefined);
  }

  /** Adds a bet that was loaded just now: the counts of unloaded bets no longer include it. */
  addLoaded(bet: Bet): void {
    this.update(bet);
    for (const [key, unloaded] of this.#unloadedPending)
      if (isPending(bet, unloaded.decision)) this.#unloadedPending.set(key, { ...unloaded, count: unloaded.count - 1 });
  }

  /** From now on these cancels are pending, and no others. */
  setPendingCancels(pendingCancels: readonly PendingCancel[]): void {
    if (this.#pendingCancels === pendingCancels) return;
    this.#pendingCancels = pendingCancels;
    for (const bet of this.bets) this.update(bet);
  }

  /** For an offer that is open again: it was not when the cancels came that are pending now. */
  spare(bet: Bet): void {
    for (const { position } of this.#pendingCancels) {
      if (bet.sparedUpTo === null || bet.sparedUpTo < position) bet.sparedUpTo = position;
    }
  }

  /** The pending cancel that is still to reach the offer. */
  cancelOf(bet: Bet): PendingCancel | undefined {
    return this.#pendingCancels.find((cancel) => cancels(cancel, bet));
  }

  remove(bet: Bet): void {
    this.bets.delete(bet);
    this.#setOpen(bet, false);
  }

  /** The loaded offers of the scope, in its order. */
  *in(scope: OfferScope): Generator<Bet, void, undefined> {
    for (const bet of this.#inOrder(scope)) if (isIn(scope, bet)) yield bet;
  }

  #inOrder(scope: OfferScope): readonly Bet[] {
    if (scope.kind === 'ownOf') return this.openOf(scope.requestingUserId);
    if (scope.kind === 'due') return this.open().toSorted(byAge);
    return scope.kind === 'canceling' ? [...this.bets].sort(byAge) : this.open();
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
  cover(scope: OfferScope, coverage: Coverage, behindCount?: number): void {
    const key = scopeKey(scope);
    const known = this.#covered.get(key);
    const isFurther = known === undefined || furthest(known.coverage, coverage, orderOf(scope)) === coverage;
    if (isFurther) this.#covered.set(key, { coverage, behindCount });
  }

  /** Undefined: not counted. */
  behindCountOf(scope: OfferScope): number | undefined {
    return this.coverageOf(scope) === 'all' ? 0 : this.#covered.get(scopeKey(scope))?.behindCount;
  }

  /** How far the scope is loaded, by its own slices or by those of `everyone`, which hold every offer. */
  coverageOf(scope: OfferScope): Coverage | null {
    const everyone = this.#covered.get(EVERYONE.kind)?.coverage;
    if (everyone === 'all') return 'all';
    const own = this.#covered.get(scopeKey(scope))?.coverage;
    if (everyone === undefined || orderOf(scope) === byAge) return own ?? null;
    return own === undefined ? everyone : furthest(own, everyone, byOdds);
  }

  /** What an earlier decision of the wager still has to void is pending, too. */
  countPending(given: Decision, { voidFrom: own }: Pick<Wager, 'voidFrom'>, counted: CountedPending): void {
    const key = decisionKey(given);
    if (this.#unloadedPending.has(key)) return;
    const isOwnEarlier = own !== null && (given.voidFrom === null || own < given.voidFrom);
    const decision = isOwnEarlier ? { ...given, voidFrom: own } : given;
    const loaded = [...this.bets].filter((bet) => isPending(bet, decision)).length;
    this.#unloadedPending.set(key, { decision, count: counted.total - loaded, isEstimate: counted.isEstimate });
  }

  unloadedPending(decision: Decision): UnloadedPending {
    if (this.isNew) return NO_PENDING;
    const unloaded = this.#unloadedPending.get(decisionKey(decision));
    if (unloaded === undefined) throw new Error(`the pending bets of a wager for ${decision.outcome} were not counted`);
    return unloaded;
  }

  #setOpen(bet: Bet, isPresent: boolean): void {
    this.#open.set(bet, isPresent);
    const own = this.#openByRequester.get(bet.requestingUserId);
    if (own !== undefined) own.set(bet, isPresent);
    else if (isPresent) this.#openByRequester.set(bet.requestingUserId, new SortedOffers(byAge, [bet]));
  }
}

class SortedOffers {
  constructor(
    private readonly order: Order,
    readonly items: Bet[] = [],
  ) {}

  set(bet: Bet, isPresent: boolean): void {
    const index = this.#indexFor(bet);
    const found = this.items[index] === bet;
    if (isPresent && !found) this.items.splice(index, 0, bet);
    if (!isPresent && found) this.items.splice(index, 1);
  }

  /** The bet's index, or the index for inserting it. Slices arrive in order, so this tries the end first. */
  #indexFor(bet: Bet): number {
    const last = this.items.at(-1);
    if (last === undefined || this.order(last, bet) < 0) return this.items.length;
    let low = 0;
    let high = this.items.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const item = this.items[middle];
      if (item !== undefined && this.order(item, bet) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/* How operations read the offers of a scope: one by one, up to where they are loaded. */

/** The Book, as far as this section needs it. */
interface Wagers {
  readonly now: Moment;
  offersOf(wagerId: bigint): Offers;
}

export interface WantedOffers {
  readonly scope: Exclude<OfferScope, { kind: 'everyone' }>;
  readonly wagers: readonly Wager[];
  /** Of a scope in matching order: offers above are not wanted. Null: any odds. */
  readonly maximumOdds: OddsMicros | null;
}

/**
 * The open offers of the scope in its order. It hides that only slices of them are loaded: when the operation asks for
 * an offer behind what is loaded, it throws MoreOffers, and the operation runs again with more.
 */
export function* offersInOrder(book: Wagers, wanted: WantedOffers): Generator<Bet, void, undefined> {
  const { scope, wagers, maximumOdds } = wanted;
  const order = orderOf(scope);
  const { known, partlyKnown } = coverageOf(book, wanted);
  const loaded = wagers.map((wager) => book.offersOf(wager.id).in(scope));
  const [only] = loaded;
  for (const bet of only !== undefined && loaded.length === 1
    ? only
    : loaded.flatMap((some) => [...some]).sort(order)) {
    if (maximumOdds !== null && bet.requestingOdds > maximumOdds) break;
    if (!reaches(known, bet, order)) break;
    if (scope.kind === 'acceptableTo' && isPastItsTime(bet, book.now)) continue;
    yield bet;
  }
  if (known !== 'all') throw new MoreOffers({ scope, wagerIds: partlyKnown, maximumOdds, after: known, now: book.now });
}

/**
 * How many offers of one wager the scope has up to a place, beside those that are taken. Where the wager is not loaded up
 * to the place, the offers behind are as many as the ledger counted.
 */
export const countOffers = (
  book: Wagers,
  wanted: WantedOffers & { readonly wagers: readonly [Wager] },
  { taken, upTo }: { readonly taken: ReadonlySet<Bet>; readonly upTo: Pick<Bet, 'queuePlace' | 'id'> },
): number => {
  const { scope } = wanted;
  const offers = book.offersOf(wanted.wagers[0].id);
  const end = { ...upTo, requestingOdds: ODDS_ONE };
  const coverage = offers.coverageOf(scope);
  const isLoaded = reaches(coverage, end, byAge);
  const behindCount = isLoaded ? 0 : offers.behindCountOf(scope);
  if (behindCount === undefined) {
    const { partlyKnown, known } = coverageOf(book, wanted);
    const after = known === 'all' ? null : known;
    throw new MoreOffers({ scope, wagerIds: partlyKnown, maximumOdds: null, after, now: book.now });
  }
  const isCounted = (bet: Bet) => !taken.has(bet) && reaches(coverage, bet, byAge) && byAge(bet, end) <= 0;
  return behindCount + [...offers.in(scope)].filter(isCounted).length;
};

/** The place up to which the scope is loaded in all of the wagers, and those of which more may be wanted. */
const coverageOf = (book: Wagers, { scope, wagers, maximumOdds }: WantedOffers) => {
  const order = orderOf(scope);
  let known: Coverage | null = 'all';
  const partlyKnown: bigint[] = [];
  for (const wager of wagers) {
    const coverage = book.offersOf(wager.id).coverageOf(scope);
    if (coverage === 'all') continue;
    if (maximumOdds !== null && reaches(coverage, endOfOdds(maximumOdds), byOdds)) continue;
    partlyKnown.push(wager.id);
    if (coverage === null || known === null) known = null;
    else if (known === 'all' || order(coverage, known) < 0) known = coverage;
  }
  return { known, partlyKnown };
};

/**
 * Not a refusal: the loaded offers do not suffice to decide. The ledger loads the next slice of the scope, calls
 * `Book.cover` for each of the wagers, and runs the operation again. `offersInOrder` throws it; executing an operation
 * returns it. With a slice of own offers that is not the last one, the ledger says how many stand behind it.
 */
export class MoreOffers {
  readonly scope: Exclude<OfferScope, { kind: 'everyone' }>;
  readonly wagerIds: readonly bigint[];
  /** Offers above these odds are not needed; null: any odds. */
  readonly maximumOdds: OddsMicros | null;
  /** Every offer up to this place is loaded; null: none is. */
  readonly after: OfferPlace | null;
  readonly now: Moment;

  constructor(wanted: Pick<MoreOffers, 'scope' | 'wagerIds' | 'maximumOdds' | 'after' | 'now'>) {
    this.scope = wanted.scope;
    this.wagerIds = wanted.wagerIds;
    this.maximumOdds = wanted.maximumOdds;
    this.after = wanted.after;
    this.now = wanted.now;
  }
}
