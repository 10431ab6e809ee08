import type { OpenOffer } from '#reads/open-offers.js';
import { SortedList } from './sorted-list.js';

export interface StreamedLevel {
  readonly odds: bigint;
  readonly amount: bigint;
  readonly offers: number;
  /** In milliseconds since 1970. */
  readonly oldest: number;
}

/** Of some offers at the same odds. */
export interface OfferSums {
  amount: bigint;
  offers: number;
}

/** What a view of the levels leaves out: the offers of its user. */
export interface HiddenOffers {
  readonly userId: bigint;
  /** By their odds. */
  readonly sums: ReadonlyMap<bigint, OfferSums>;
  /** The levels that nobody else has offers at. */
  readonly hidden: SortedLevels;
}

export interface Level extends OfferSums {
  readonly odds: bigint;
  /** The level begins with it. */
  oldest: OpenOffer;
}

export class SortedLevels extends SortedList<Level> {
  constructor() {
    super((one, other) => one.odds < other.odds);
  }
}

function isOlder(one: OpenOffer, other: OpenOffer): boolean {
  const [time, otherTime] = [one.createdAt.getTime(), other.createdAt.getTime()];
  return time === otherTime ? one.id < other.id : time < otherTime;
}

/** The levels of a book: views of users take from them what is their own. */
export class BookLevels {
  readonly #levels = new SortedLevels();
  readonly #levelAt = new Map<bigint, Level>();
  /** By their odds, those of a level by their age. */
  readonly #offers = new SortedList<OpenOffer>((one, other) =>
    one.odds === other.odds ? isOlder(one, other) : one.odds < other.odds,
  );

  add(offer: OpenOffer): void {
    this.#offers.add(offer);
    const level = this.#levelAt.get(offer.odds);
    if (level === undefined) {
      const made = { odds: offer.odds, amount: offer.amount, offers: 1, oldest: offer };
      this.#levelAt.set(offer.odds, made);
      this.#levels.add(made);
      return;
    }
    level.amount += offer.amount;
    level.offers += 1;
    if (isOlder(offer, level.oldest)) level.oldest = offer;
  }

  /** An offer that was added. */
  remove(offer: OpenOffer): void {
    const level = this.#levelAt.get(offer.odds) as Level;
    if (level.offers === 1) {
      this.#levelAt.delete(offer.odds);
      this.#levels.remove(level);
    } else if (level.oldest.id === offer.id) level.oldest = this.#secondOf(level);
    level.amount -= offer.amount;
    level.offers -= 1;
    this.#offers.remove(offer);
  }

  at(odds: bigint): Level | undefined {
    return this.#levelAt.get(odds);
  }

  /** The lowest odds first, without the offers of a user. Any number of levels that are hidden from it takes a few steps. */
  first(depth: number, own?: HiddenOffers): StreamedLevel[] {
    const found: StreamedLevel[] = [];
    let [index, passed] = [0, 0];
    while (found.length < depth) {
      const run = own === undefined ? 0 : this.#runOf(own.hidden, index, passed);
      index += run;
      passed += run;
      const level = this.#levels.at(index);
      if (level === undefined) break;
      found.push(this.#shown(level, own));
      index += 1;
    }
    return found;
  }

  /** How many levels from an index on are hidden: where the two lists differ once, they differ from there on. */
  #runOf(hidden: SortedLevels, index: number, passed: number): number {
    const isHidden = (run: number) => this.#levels.at(index + run) === hidden.at(passed + run);
    let [from, to] = [0, hidden.length - passed];
    if (to === 0 || !isHidden(0)) return 0;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isHidden(middle)) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #shown(level: Level, own: HiddenOffers | undefined): StreamedLevel {
    const sums = own?.sums.get(level.odds);
    return {
      odds: level.odds,
      amount: level.amount - (sums?.amount ?? 0n),
      offers: level.offers - (sums?.offers ?? 0),
      oldest: this.#oldestOf(level, own?.userId).createdAt.getTime(),
    };
  }

  #secondOf({ oldest }: Level): OpenOffer {
    const offers = this.#offers.from(oldest);
    offers.next();
    return offers.next().value as OpenOffer;
  }

  /** The oldest one that is not of the user. */
  #oldestOf({ oldest }: Level, userId: bigint | undefined): OpenOffer {
    if (oldest.userId !== userId) return oldest;
    for (const offer of this.#offers.from(oldest)) if (offer.userId !== userId) return offer;
    throw new Error('nobody else has offers at these odds');
  }
}

/** Sums of two lists of levels: the first ones of all. */
export function addLevels(
  one: readonly StreamedLevel[],
  other: readonly StreamedLevel[],
  depth: number,
): StreamedLevel[] {
  const sums = new Map<bigint, StreamedLevel>(one.map((level) => [level.odds, level]));
  for (const level of other) {
    const same = sums.get(level.odds);
    sums.set(level.odds, {
      odds: level.odds,
      amount: level.amount + (same?.amount ?? 0n),
      offers: level.offers + (same?.offers ?? 0),
      oldest: Math.min(level.oldest, same?.oldest ?? level.oldest),
    });
  }
  return [...sums.values()].sort((a, b) => (a.odds < b.odds ? -1 : 1)).slice(0, depth);
}
