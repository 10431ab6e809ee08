import type { SeededRandom } from '#tools/shared/seeded-random.js';
import type { Schemas, StormAccount } from '../history.js';

// The knowledge that the clients of one account share, so that they can name users, wagers and bets that exist.

export interface Bettor {
  readonly id: number;
  readonly reference: string;
}

export interface KnownOffer {
  readonly betId: number;
  readonly wager: string;
  readonly requester: Bettor;
}

export type KnownBet = Pick<KnownOffer, 'betId'>;

interface OpenWager {
  readonly reference: string;
  /** The number of bets at which it has to be decided. */
  readonly bound: number;
  bets: number;
}

/** Older ones are decided: requests for them would test nothing new. */
const REMEMBERED = 40;
const WAGERS_AT_ONCE = 2;
const MOST_BETTORS = 24;
/** Few, so that even a slow storm decides some. */
const LEAST_BETS = 6;
const BETS_SPREAD = 9;

/** The newest items. */
class Recent<Item> {
  readonly #items: Item[] = [];

  add(...items: readonly Item[]): void {
    this.#items.push(...items);
    this.#items.splice(0, this.#items.length - REMEMBERED);
  }

  pick(chance: SeededRandom): Item | undefined {
    return this.#items[chance.below(this.#items.length)];
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
    /** The token of another person, who approves. */
    readonly approver?: string | undefined,
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

  newWager(): string {
    this.#wagersMade += 1;
    const reference = `${this.account.name}-w${this.#wagersMade}`;
    this.wagers.add(reference);
    return reference;
  }

  /** An open wager for one more bet. When it has reached its bound it waits for its decision. */
  openWager(chance: SeededRandom): string {
    while (this.#open.length < WAGERS_AT_ONCE) {
      this.#open.push({ reference: this.newWager(), bound: LEAST_BETS + chance.below(BETS_SPREAD), bets: 0 });
    }
    const wager = chance.pick(this.#open as [OpenWager, ...OpenWager[]]);
    wager.bets += 1;
    if (wager.bets >= wager.bound) {
      this.#open.splice(this.#open.indexOf(wager), 1);
      this.#full.push(wager.reference);
    }
    return wager.reference;
  }

  /** A wager on which clients bet, or soon will. */
  anyWager(chance: SeededRandom): string | undefined {
    return this.#open[chance.below(this.#open.length)]?.reference;
  }

  get hasWagerToDecide(): boolean {
    return this.#full.length > 0;
  }

  /** The wager that has waited longest for its decision. */
  nextToDecide(): string | undefined {
    return this.#full.shift();
  }

  learnOffer({ bet_id: betId, wager_reference: wager }: Schemas['MadeOffer'], requester: Bettor): void {
    this.offers.add({ betId, wager, requester });
  }

  learnMatches(matches: readonly Schemas['AcceptedOffer'][]): void {
    this.bets.add(...matches.map(({ bet_id: betId }) => ({ betId })));
  }
}
