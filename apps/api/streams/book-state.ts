import { isDecided, type Outcome } from '#core/outcome.js';
import type { LogEvent } from '#reads/event.js';
import { isNamedBy, type NamedOffers, type OpenOffer, type OpenOffers, offerOf, sizeOf } from '#reads/open-offers.js';
import { type BookLevel, BookLevels } from './book-levels.js';

const opening: ReadonlySet<string> = new Set(['offer.made', 'offer.reopened', 'bet.activated']);
const closing: ReadonlySet<string> = new Set([
  ...['offer.matched', 'offer.canceled', 'offer.expired', 'bet.deactivated'],
]);

/** The order book of a wager: as it was read, and as the events since then have changed it. */
export class BookState {
  readonly #offers = new Map<bigint, OpenOffer>();
  readonly #levelsOf = new Map<bigint | undefined, BookLevels>();
  #outcome: Outcome;
  #size = 0;

  constructor(
    private readonly wagerId: bigint,
    { outcome, offers }: Pick<OpenOffers, 'outcome' | 'offers'>,
  ) {
    this.#outcome = outcome;
    for (const offer of offers) this.#add(offer);
  }

  get outcome(): Outcome {
    return this.#outcome;
  }

  get size(): number {
    return this.#size;
  }

  /** The open offers of a decided wager count as expired: it shows none. */
  first(depth: number, userId: bigint | undefined): BookLevel[] {
    return isDecided(this.#outcome) ? [] : this.#levels(userId).first(depth);
  }

  /** The levels for these users are not asked for any more. */
  forget(userId: bigint | undefined): void {
    this.#levelsOf.delete(userId);
  }

  /** Returns whether the event is about the book. */
  apply(event: LogEvent): boolean {
    const { type, bet, ref, extra } = event;
    if (type.startsWith('wager.')) return ref === this.wagerId && this.#applyToWager(type, extra);
    if (bet === undefined || bet.wagerId !== this.wagerId) return false;
    if (closing.has(type)) return this.#remove(bet.id);
    const offer = offerOf(event);
    if (!opening.has(type) || offer === undefined || bet.offerStatus !== 'requesting') return false;
    // An inactive offer stays out when a decision is undone, until it is activated.
    return type === 'offer.reopened' && !bet.isActive ? false : this.#add(offer);
  }

  #applyToWager(type: string, { outcome, canceling }: LogEvent['extra']): boolean {
    if (type === 'wager.decided' || type === 'wager.corrected') {
      this.#outcome = outcome as Outcome;
      return true;
    }
    if (type !== 'wager.canceling') return false;
    const named = [...this.#offers.values()].filter((offer) => isNamedBy(offer, canceling as unknown as NamedOffers));
    for (const { id } of named) this.#remove(id);
    return named.length > 0;
  }

  #add(offer: OpenOffer): boolean {
    if (this.#offers.has(offer.id)) return false;
    this.#offers.set(offer.id, offer);
    this.#size += sizeOf(offer);
    for (const levels of this.#levelsOf.values()) levels.add(offer);
    return true;
  }

  #remove(id: bigint): boolean {
    const offer = this.#offers.get(id);
    if (offer === undefined) return false;
    this.#offers.delete(id);
    this.#size -= sizeOf(offer);
    for (const levels of this.#levelsOf.values()) levels.remove(offer);
    return true;
  }

  #levels(userId: bigint | undefined): BookLevels {
    const known = this.#levelsOf.get(userId);
    if (known !== undefined) return known;
    const made = new BookLevels(userId);
    for (const offer of this.#offers.values()) made.add(offer);
    this.#levelsOf.set(userId, made);
    return made;
  }
}
