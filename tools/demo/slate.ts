export interface OpenOffer {
  readonly bettor: string;
  readonly odds: number;
  amount: number;
}

/** Somebody's side of an offer, or of a part of it. */
export interface Taken {
  readonly odds: number;
  readonly amount: number;
}

/**
 * The open offers of one wager, as the plan expects them: the lowest odds are taken first, of equal ones the oldest. So the
 * plan knows that every acceptance and every cancel finds something.
 */
export class Slate {
  #offers: OpenOffer[] = [];

  get offers(): readonly OpenOffer[] {
    return this.#offers;
  }

  add(offer: OpenOffer): void {
    this.#offers.push(offer);
  }

  /** Nobody accepts an offer of their own. */
  openFor(bettor: string): OpenOffer[] {
    return this.#offers.filter((offer) => offer.bettor !== bettor);
  }

  take(bettor: string, maximumOdds: number, amount: number): Taken[] {
    let left = amount;
    const taken: Taken[] = [];
    const candidates = this.openFor(bettor).filter(({ odds }) => odds <= maximumOdds);
    for (const offer of candidates.sort((one, other) => one.odds - other.odds)) {
      if (left === 0) break;
      taken.push({ odds: offer.odds, amount: Math.min(offer.amount, left) });
      left -= this.#reduce(offer, left);
    }
    return taken;
  }

  /** The oldest first, until the amount is used up. */
  cancel(bettor: string, amount = Number.POSITIVE_INFINITY): void {
    let left = amount;
    for (const offer of this.#offers.filter((each) => each.bettor === bettor)) {
      if (left === 0) break;
      left -= this.#reduce(offer, left);
    }
  }

  /** By how much. What is left of an offer keeps its place. */
  #reduce(offer: OpenOffer, atMost: number): number {
    const reduction = Math.min(offer.amount, atMost);
    offer.amount -= reduction;
    if (offer.amount === 0) this.#offers = this.#offers.filter((each) => each !== offer);
    return reduction;
  }
}
