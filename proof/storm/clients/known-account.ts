import type { SeededRandom } from '#tools/shared/seeded-random.js';
import type { Schemas, StormAccount } from '../history.js';

// The knowledge that the clients of one account share, so that they can name users, wagers and bets that exist.

export interface Bettor {
  readonly id: number;
  readonly reference: string;
  /** Has more money than all its bets can cost; requests of other bettors may be refused. */
  readonly isRich: boolean;
}

export interface KnownOffer {
  readonly betId: number;
  readonly wager: string;
  readonly requester: Bettor;
}

export interface KnownBet {
  readonly betId: number;
  readonly isBetweenRich: boolean;
}

interface OpenWager {
  readonly reference: string;
  /** The number of bets at which it has to be decided. */
  readonly bound: number;
  /** The most bets that it can have by now. */
  bets: number;
}

/** Older ones are decided: requests for them would test nothing new. */
const REMEMBERED = 40;
const WAGERS_AT_ONCE = 2;
const MOST_BETTORS = 24;
/**
 * Few, so that even a slow storm decides some. With the bets that arrive before the decision they stay below the bound up
 * to which a decision settles a wager itself.
 */
const LEAST_BETS = 8;
const BETS_SPREAD = 12;

/** The newest items. */
class Recent<Item> {
  readonly #items: Item[] = [];

  add(...items: readonly Item[]): void {
    this.#items.push(...items);
    this.#items.splice(0, this.#items.length - REMEMBERED);
  }

  pick(chance: SeededRandom, fits: (item: Item) => boolean = () => true): Item | undefined {
    const fitting = this.#items.filter(fits);
    return fitting[chance.below(fitting.length)];
  }
}

export class KnownAccount {
  readonly offers = new Recent<KnownOffer>();
  readonly bets = new Recent<KnownBet>();
  readonly movements = new Recent<Schemas['Movement']>();
  readonly wagers = new Recent<string>();
  readonly #bettors: Bettor[] = [];
  readonly #open: OpenWager[] = [];
  readonly #full: string[] = [];
  #wagersMade = 0;

  constructor(
    readonly account: StormAccount,
    readonly token: string,
  ) {}

  get bettors(): readonly Bettor[] {
    return this.#bettors;
  }

  addBettor(bettor: Bettor): void {
    if (this.#bettors.length < MOST_BETTORS) this.#bettors.push(bettor);
  }

  anyBettor(chance: SeededRandom): Bettor {
    return chance.pick(this.#bettors as [Bettor, ...Bettor[]]);
  }

  bettorNamed(reference: string): Bettor | undefined {
    return this.#bettors.find((bettor) => bettor.reference === reference);
  }

  newWager(): string {
    this.#wagersMade += 1;
    const reference = `${this.account.name}-w${this.#wagersMade}`;
    this.wagers.add(reference);
    return reference;
  }

  /** An open wager for this many more bets. When it has reached its bound it waits for its decision. */
  wagerFor(chance: SeededRandom, bets: number): string {
    while (this.#open.length < WAGERS_AT_ONCE) {
      this.#open.push({ reference: this.newWager(), bound: LEAST_BETS + chance.below(BETS_SPREAD), bets: 0 });
    }
    const { reference } = chance.pick(this.#open as [OpenWager, ...OpenWager[]]);
    this.expectBets(reference, bets);
    return reference;
  }

  /** Counts bets that requests in progress may add to the wager. */
  expectBets(reference: string, bets: number): void {
    const wager = this.#open.find((open) => open.reference === reference);
    if (wager === undefined) return;
    wager.bets += bets;
    if (wager.bets < wager.bound) return;
    this.#open.splice(this.#open.indexOf(wager), 1);
    this.#full.push(reference);
  }

  /** The wager that has waited longest for its decision. */
  nextToDecide(): string | undefined {
    return this.#full.shift();
  }

  learnOffer({ bet_id: betId, wager_reference: wager }: Schemas['MadeOffer'], requester: Bettor): void {
    this.offers.add({ betId, wager, requester });
  }

  learnMatches(matches: readonly Schemas['AcceptedOffer'][], acceptor: Bettor): void {
    const isRich = (reference: string) => this.bettorNamed(reference)?.isRich === true;
    this.bets.add(
      ...matches.map(({ bet_id: betId, requesting_user_reference: requester }) => ({
        betId,
        isBetweenRich: acceptor.isRich && isRich(requester),
      })),
    );
  }
}
