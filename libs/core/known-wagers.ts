import { isPending } from './bet-state.js';
import { EVERYONE, Offers } from './offers.js';
import type { Outcome } from './outcome.js';
import type { Bet, Wager } from './records.js';

interface KnownWager {
  readonly offers: Offers;
  /** An operation of this Book created it: the database holds nothing of it. */
  readonly isNew: boolean;
  /** By outcome: how many bets are pending under that outcome and are not loaded. */
  readonly unloadedPending: Map<Outcome, number>;
}

/** A wager as its first offer creates it. */
export const newWager = (id: bigint, reference: string): Wager => ({
  id,
  reference,
  outcome: 'undecided',
  forcedBy: null,
  isSettling: false,
  pendingCancels: [],
});

/** What a Book knows of its wagers: their references, their bets and offers, and how much of that is not loaded. */
export class KnownWagers {
  readonly #wagers = new Map<bigint, KnownWager>();
  readonly #byReference = new Map<string, Wager>();

  add(wager: Wager, { isNew }: { isNew: boolean }): void {
    const offers = new Offers();
    offers.nameBy(wager.pendingCancels);
    if (isNew) offers.cover(EVERYONE, 'all');
    this.#wagers.set(wager.id, { offers, isNew, unloadedPending: new Map() });
    this.#byReference.set(wager.reference, wager);
  }

  remove(wager: Wager): void {
    this.#wagers.delete(wager.id);
    this.#byReference.delete(wager.reference);
  }

  named(reference: string): Wager | undefined {
    return this.#byReference.get(reference);
  }

  isNew(wagerId: bigint): boolean {
    return this.#wagers.get(wagerId)?.isNew === true;
  }

  offersOf(wagerId: bigint): Offers {
    return this.#known(wagerId).offers;
  }

  /** Places a bet that was loaded just now: the counts of unloaded bets no longer include it. */
  placeLoaded(bet: Bet): void {
    const { offers, unloadedPending } = this.#known(bet.wagerId);
    offers.place(bet);
    for (const [outcome, count] of unloadedPending)
      if (isPending(bet, outcome)) unloadedPending.set(outcome, count - 1);
  }

  countPending(wagerId: bigint, outcome: Outcome, total: number): void {
    const { offers, unloadedPending } = this.#known(wagerId);
    const loaded = [...offers.bets].filter((bet) => isPending(bet, outcome)).length;
    if (!unloadedPending.has(outcome)) unloadedPending.set(outcome, total - loaded);
  }

  unloadedPending(wagerId: bigint, outcome: Outcome): number {
    if (this.isNew(wagerId)) return 0;
    const count = this.#wagers.get(wagerId)?.unloadedPending.get(outcome);
    if (count === undefined) throw new Error(`pending bets of wager ${wagerId} for ${outcome} were not counted`);
    return count;
  }

  #known(wagerId: bigint): KnownWager {
    const known = this.#wagers.get(wagerId);
    if (known === undefined) throw new Error(`wager ${wagerId} is not in the book`);
    return known;
  }
}
