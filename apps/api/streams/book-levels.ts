import type { OpenOffer } from '#reads/open-offers.js';

export interface BookLevel {
  readonly odds: bigint;
  readonly amount: bigint;
  readonly offers: number;
  /** In milliseconds since 1970. */
  readonly oldest: number;
}

/** The open offers at the same odds. */
class Level {
  amount = 0n;
  /** When each was made, in the order of their coming. */
  readonly #times = new Map<bigint, number>();
  /** Whether they came in the order of their times, which only offers that are opened again do not. */
  #isOrdered = true;
  #latest = 0;

  constructor(readonly odds: bigint) {}

  get offers(): number {
    return this.#times.size;
  }

  get oldest(): number {
    if (this.#isOrdered) return this.#times.values().next().value ?? 0;
    return Math.min(...this.#times.values());
  }

  add({ id, amount, createdAt }: OpenOffer): void {
    const at = createdAt.getTime();
    this.#times.set(id, at);
    this.amount += amount;
    if (at < this.#latest) this.#isOrdered = false;
    this.#latest = Math.max(this.#latest, at);
  }

  remove({ id, amount }: OpenOffer): void {
    this.#times.delete(id);
    this.amount -= amount;
  }
}

/** The levels of a book, for all users or for one. */
export class BookLevels {
  readonly #levels = new Map<bigint, Level>();
  /** Ascending. */
  readonly #odds: bigint[] = [];

  constructor(private readonly userId: bigint | undefined) {}

  add(offer: OpenOffer): void {
    if (!this.#mayAccept(offer)) return;
    let level = this.#levels.get(offer.odds);
    if (level === undefined) {
      level = new Level(offer.odds);
      this.#levels.set(offer.odds, level);
      this.#odds.splice(this.#placeOf(offer.odds), 0, offer.odds);
    }
    level.add(offer);
  }

  remove(offer: OpenOffer): void {
    const level = this.#mayAccept(offer) ? this.#levels.get(offer.odds) : undefined;
    if (level === undefined) return;
    level.remove(offer);
    if (level.offers > 0) return;
    this.#levels.delete(offer.odds);
    this.#odds.splice(this.#placeOf(offer.odds), 1);
  }

  /** The lowest odds first. */
  first(depth: number): BookLevel[] {
    return this.#odds.slice(0, depth).map((odds) => {
      const { amount, offers, oldest } = this.#levels.get(odds) as Level;
      return { odds, amount, offers, oldest };
    });
  }

  #mayAccept({ userId, allowedAcceptorIds }: OpenOffer): boolean {
    if (this.userId === undefined) return true;
    if (userId === this.userId) return false;
    return allowedAcceptorIds.length === 0 || allowedAcceptorIds.includes(this.userId);
  }

  #placeOf(odds: bigint): number {
    let [from, to] = [0, this.#odds.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#odds[middle] as bigint) < odds) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
