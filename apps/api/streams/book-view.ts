import type { OpenOffer } from '#reads/open-offers.js';
import { BookLevels, type HiddenOffers, type OfferSums, SortedLevels } from './book-levels.js';

export const isForAll = ({ allowedAcceptorIds }: OpenOffer): boolean => allowedAcceptorIds.length === 0;

/** The offer names the user, and is of another one. */
export const isFor = ({ userId, allowedAcceptorIds }: OpenOffer, namedId: bigint): boolean =>
  allowedAcceptorIds.length > 0 && userId !== namedId && allowedAcceptorIds.includes(namedId);

/** How a user sees a book: without its own offers for all, and of the offers for some with those that name it. */
export class BookView implements HiddenOffers {
  readonly sums = new Map<bigint, OfferSums>();
  readonly hidden = new SortedLevels();
  readonly named = new BookLevels();
  #size = 0;

  constructor(
    readonly userId: bigint,
    private readonly forAll: BookLevels,
  ) {}

  /** Of the offers that name the user. An offer has one owner, whose view adds less than the offer itself. */
  get size(): number {
    return this.#size;
  }

  /** Of all offers that the levels have. */
  read(offers: Iterable<OpenOffer>): void {
    for (const offer of offers) this.add(offer);
    for (const odds of this.sums.keys()) this.hide(odds);
  }

  add(offer: OpenOffer): void {
    if (isFor(offer, this.userId)) {
      this.named.add(offer);
      this.#size += 1;
    } else if (this.#isOwn(offer)) this.#count(offer, 1);
  }

  /** An offer that was added. */
  remove(offer: OpenOffer): void {
    if (isFor(offer, this.userId)) {
      this.named.remove(offer);
      this.#size -= 1;
    } else if (this.#isOwn(offer)) this.#count(offer, -1);
  }

  /** Before the level at these odds changes. */
  show(odds: bigint): void {
    const level = this.#ownLevel(odds);
    if (level !== undefined) this.hidden.remove(level);
  }

  /** After it has changed. */
  hide(odds: bigint): void {
    const level = this.#ownLevel(odds);
    if (level !== undefined) this.hidden.add(level);
  }

  /** The level, if all of its offers are the user's. */
  #ownLevel(odds: bigint) {
    const sums = this.sums.get(odds);
    const level = sums && this.forAll.at(odds);
    return level?.offers === sums?.offers ? level : undefined;
  }

  #isOwn(offer: OpenOffer): boolean {
    return offer.userId === this.userId && isForAll(offer);
  }

  #count({ odds, amount }: OpenOffer, change: 1 | -1): void {
    const sums = this.sums.get(odds) ?? { amount: 0n, offers: 0 };
    sums.amount += amount * BigInt(change);
    sums.offers += change;
    if (sums.offers === 0) this.sums.delete(odds);
    else this.sums.set(odds, sums);
  }
}
