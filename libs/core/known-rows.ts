import { isPending } from './impact.js';
import type { UserIdentifier } from './needs.js';
import { EVERYONE, Offers } from './offers.js';
import type { Bet, Outcome, User, Wager } from './records.js';

/** The users that the ledger found by id or reference. A user that was not found does not exist. */
export class KnownUsers {
  readonly #idByReference = new Map<string, bigint>();
  readonly #ids = new Set<bigint>();

  add({ id, reference }: Pick<User, 'id' | 'reference'>): void {
    this.#idByReference.set(reference, id);
    this.#ids.add(id);
  }

  /** Undefined: no such user. `differ`: the id and the reference name two users. Assumes that one of them is given. */
  idOf({ id, reference }: UserIdentifier): bigint | undefined | 'differ' {
    const referencedId = reference === undefined ? undefined : this.#idByReference.get(reference);
    if (id === undefined) return referencedId;
    if (!this.#ids.has(id) || (reference !== undefined && referencedId === undefined)) return undefined;
    return reference === undefined || referencedId === id ? id : 'differ';
  }
}

/** Bets of a wager that are pending under an outcome and are not loaded. */
export interface UnloadedPending {
  readonly count: number;
  /** They were counted before the transaction: since then others may have come, and some may have gone. */
  readonly isEstimate: boolean;
}

interface KnownWager {
  readonly offers: Offers;
  /** An operation of this Book created it: the database holds nothing of it. */
  readonly isNew: boolean;
  readonly unloadedPending: Map<Outcome, UnloadedPending>;
}

const NO_PENDING: UnloadedPending = { count: 0, isEstimate: false };

/** A wager as its first offer creates it. */
export const newWager = (id: bigint, reference: string): Wager => ({
  id,
  reference,
  outcome: 'undecided',
  forcedBy: null,
  isSettling: false,
  settledUpTo: 0n,
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
    for (const [outcome, { count, isEstimate }] of unloadedPending)
      if (isPending(bet, outcome)) unloadedPending.set(outcome, { count: count - 1, isEstimate });
  }

  countPending(wagerId: bigint, outcome: Outcome, total: number, isEstimate: boolean): void {
    const { offers, unloadedPending } = this.#known(wagerId);
    const loaded = [...offers.bets].filter((bet) => isPending(bet, outcome)).length;
    if (!unloadedPending.has(outcome)) unloadedPending.set(outcome, { count: total - loaded, isEstimate });
  }

  unloadedPending(wagerId: bigint, outcome: Outcome): UnloadedPending {
    if (this.isNew(wagerId)) return NO_PENDING;
    const unloaded = this.#wagers.get(wagerId)?.unloadedPending.get(outcome);
    if (unloaded === undefined) throw new Error(`pending bets of wager ${wagerId} for ${outcome} were not counted`);
    return unloaded;
  }

  #known(wagerId: bigint): KnownWager {
    const known = this.#wagers.get(wagerId);
    if (known === undefined) throw new Error(`wager ${wagerId} is not in the book`);
    return known;
  }
}

/** Ids that the ledger reserved for a Book. An undone attempt gives its ids back for the next one. */
export class ReservedIds {
  /** In the order in which they were drawn the first time. */
  readonly #known: bigint[] = [];
  readonly #next: () => bigint;
  #drawnCount = 0;

  constructor(next: () => bigint) {
    this.#next = next;
  }

  draw(): bigint {
    const id = this.peek();
    this.#drawnCount += 1;
    return id;
  }

  /** The id that the next draw returns. */
  peek(): bigint {
    const id = this.#known[this.#drawnCount] ?? this.#next();
    this.#known[this.#drawnCount] = id;
    return id;
  }

  /** Returns the way back to here, for an attempt that fails: the next one draws the same ids. */
  mark(): () => void {
    const count = this.#drawnCount;
    return () => {
      this.#drawnCount = count;
    };
  }
}
