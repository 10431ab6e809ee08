import type { SeededRandom } from '#tools/shared/seeded-random.js';
import type { Schemas, StormAccount } from '../history.js';

// What the clients of one account know together: enough to ask for things that exist, or existed a moment ago.

export interface Bettor {
  readonly id: number;
  readonly reference: string;
  /** Has more than all its bets could ever cost; the others are refused things. */
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
  /** How many bets it may come to before it has to be decided. */
  readonly bound: number;
  /** How many bets it can have by now, at most. */
  bets: number;
}

/** Old ones are decided, and asking for them teaches nothing new. */
const REMEMBERED = 40;
const WAGERS_AT_ONCE = 2;
const MOST_BETTORS = 24;
/**
 * Few, so that some are decided also where little happens; and with all that can come while the decision is awaited below
 * the bound up to which a decision settles by itself.
 */
const LEAST_BETS = 8;
const BETS_SPREAD = 12;

/** The newest of what was seen. */
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

export class House {
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

  welcome(bettor: Bettor): void {
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

  /** A wager for so many more bets; one that has had enough of them waits for its decision from then on. */
  wagerFor(chance: SeededRandom, bets: number): string {
    while (this.#open.length < WAGERS_AT_ONCE) {
      this.#open.push({ reference: this.newWager(), bound: LEAST_BETS + chance.below(BETS_SPREAD), bets: 0 });
    }
    const { reference } = chance.pick(this.#open as [OpenWager, ...OpenWager[]]);
    this.countOn(reference, bets);
    return reference;
  }

  /** The wager may have so many more bets soon. */
  countOn(reference: string, bets: number): void {
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
