import { isDecided } from '#core/impact.js';
import type { Outcome } from '#core/records.js';
import type { CancelingOffers } from '#ledger/row-types.js';
import type { LogEvent } from '#reads/event.js';
import { isCanceledBy, type OpenOffer, type OpenOffers, offerOf, sizeOf } from '#reads/open-offers.js';
import { addLevels, BookLevels, type StreamedLevel } from './book-levels.js';
import { BookView, isFor, isForAll } from './book-view.js';

const opening: ReadonlySet<string> = new Set(['offer.made', 'offer.reopened', 'bet.activated']);
const closing: ReadonlySet<string> = new Set([
  ...['offer.matched', 'offer.canceled', 'offer.expired', 'bet.deactivated'],
]);

/** The order book of a wager: as it was read, and as the events since then have changed it. All views share its levels. */
export class BookState {
  readonly #offers = new Map<bigint, OpenOffer>();
  readonly #forAll = new BookLevels();
  readonly #forSome = new BookLevels();
  readonly #viewOf = new Map<bigint, BookView>();
  /** What was shown since the last change: many readers may look at the same. */
  readonly #shown = new Map<
    bigint | undefined,
    { readonly depth: number; readonly levels: readonly StreamedLevel[] }
  >();
  #outcome: Outcome;
  #size = 0;

  constructor(
    private readonly wagerId: bigint,
    { outcome, offers }: Pick<OpenOffers, 'outcome' | 'offers'>,
  ) {
    this.#outcome = outcome;
    this.take(offers);
  }

  /** More offers of the same read. */
  take(offers: readonly OpenOffer[]): void {
    for (const offer of offers) this.#add(offer);
  }

  get outcome(): Outcome {
    return this.#outcome;
  }

  /** Of its offers, and one for each that a view holds because it names its user. */
  get size(): number {
    return [...this.#viewOf.values()].reduce((sum, { size }) => sum + size, this.#size);
  }

  /** The open offers of a decided wager count as expired: it shows none. */
  first(depth: number, userId: bigint | undefined): readonly StreamedLevel[] {
    if (isDecided(this.#outcome)) return [];
    const known = this.#shown.get(userId);
    if (known !== undefined && known.depth >= depth) return known.levels.slice(0, depth);
    const view = userId === undefined ? undefined : this.#viewFor(userId);
    const forSome = (view?.named ?? this.#forSome).first(depth);
    const levels = addLevels(this.#forAll.first(depth, view), forSome, depth);
    this.#shown.set(userId, { depth, levels });
    return levels;
  }

  /** Whether the book stays within a size when a view for this user adds the offers that name it. */
  mayShowTo(userId: bigint | undefined, maxSize: number): boolean {
    if (userId === undefined || this.#viewOf.has(userId)) return true;
    let count = 0;
    for (const offer of this.#offers.values()) if (isFor(offer, userId)) count += 1;
    return count === 0 || this.size + count <= maxSize;
  }

  /** The view for this user is not asked for any more. */
  forget(userId: bigint | undefined): void {
    this.#shown.delete(userId);
    if (userId !== undefined) this.#viewOf.delete(userId);
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
    const canceled = [...this.#offers.values()].filter((offer) =>
      isCanceledBy(offer, canceling as unknown as CancelingOffers),
    );
    for (const { id } of canceled) this.#remove(id);
    return canceled.length > 0;
  }

  #add(offer: OpenOffer): boolean {
    if (this.#offers.has(offer.id)) return false;
    this.#offers.set(offer.id, offer);
    this.#size += sizeOf(offer);
    this.#change(offer, 'add');
    return true;
  }

  #remove(id: bigint): boolean {
    const offer = this.#offers.get(id);
    if (offer === undefined) return false;
    this.#offers.delete(id);
    this.#size -= sizeOf(offer);
    this.#change(offer, 'remove');
    return true;
  }

  #change(offer: OpenOffer, change: 'add' | 'remove'): void {
    this.#shown.clear();
    const isOfAll = isForAll(offer);
    const views = isOfAll ? [...this.#viewOf.values()] : [];
    for (const view of views) view.show(offer.odds);
    (isOfAll ? this.#forAll : this.#forSome)[change](offer);
    for (const id of new Set([offer.userId, ...offer.allowedAcceptorIds])) this.#viewOf.get(id)?.[change](offer);
    for (const view of views) view.hide(offer.odds);
  }

  #viewFor(userId: bigint): BookView {
    const known = this.#viewOf.get(userId);
    if (known !== undefined) return known;
    const made = new BookView(userId, this.#forAll);
    made.read(this.#offers.values());
    this.#viewOf.set(userId, made);
    return made;
  }
}
