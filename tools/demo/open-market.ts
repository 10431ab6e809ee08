import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerClient } from '#clients/typescript/client.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import type { Operation } from './bettor-requests.js';
import { type BetIds, openBettor, send } from './demo-client.js';

// A market that is still open when the evening is over, for people who look around: bettors continue to trade on it.

interface Trader {
  readonly name: string;
  readonly reference: string;
}

/** Some have names that a page must show as they are. */
const TRADERS: readonly [Trader, ...Trader[]] = [
  { name: 'Mara Quill', reference: 'mara-quill' },
  { name: 'Otto Brandt', reference: 'otto-brandt' },
  { name: 'Zoë O’Neill & Sons', reference: 'zoe-oneill' },
  { name: '<script>alert("bets")</script>', reference: 'markup' },
  { name: 'שרה בר־לב', reference: 'right-to-left' },
  { name: `Robert'); DROP TABLE bets;--`, reference: 'quotes' },
];

/** The wagers, and the odds around which their offers lie. */
const WAGERS: readonly [readonly [string, number], ...(readonly [string, number])[]] = [
  ['saturday-final-home-win', 2.1],
  ['saturday-final-draw', 3.4],
];

const STAKES = [5, 10, 12.5, 20, 40, 75] as const;
const FUNDS = 250_000;
const TICK = 0.02;
const TICKS = 18;
const FIRST_ACTIONS = 90;
const PAUSE_MS = 1_500;
/** The probabilities of an offer and of an acceptance; otherwise an offer is canceled. */
const OFFERS = 0.55;
const ACCEPTANCES = 0.35;
const MOST_OPEN = 120;

interface OpenOffer {
  readonly offer: number;
  readonly trader: string;
  readonly odds: number;
  readonly amount: number;
}

export interface OpenMarket {
  /** Trades until the signal aborts. */
  trade(stopping: AbortSignal): Promise<void>;
}

const rounded = (amount: number) => Math.round(amount * 100) / 100;

class Trading {
  readonly #random: SeededRandom;
  #open: OpenOffer[] = [];
  #lastOffer = 0;

  constructor(seed: number) {
    this.#random = createSeededRandom(seed);
  }

  /** The next operation of any trader. */
  next(): Operation {
    const chance = this.#random.below(100) / 100;
    if (this.#open.length === 0 || (chance < OFFERS && this.#open.length < MOST_OPEN)) return this.#make();
    const taken = this.#open.splice(this.#random.below(this.#open.length), 1)[0] as OpenOffer;
    return chance < OFFERS + ACCEPTANCES ? this.#accept(taken) : this.#cancel(taken);
  }

  #make(): Operation {
    const [reference, odds] = this.#random.pick(WAGERS);
    const { reference: trader } = this.#random.pick(TRADERS);
    const requesting_odds = rounded(odds + TICK * (this.#random.below(TICKS) - TICKS / 2));
    const requesting_amount = this.#random.pick(STAKES);
    this.#lastOffer += 1;
    const offer = this.#lastOffer;
    this.#open.push({ offer, trader, odds: requesting_odds, amount: requesting_amount });
    const data = { wager_reference: reference, requesting_user_reference: trader, requesting_odds, requesting_amount };
    return { operation_type: 'make_bet_offer', offer, data };
  }

  /** The rest of an offer that is accepted in part stays open, under a number that this plan does not know. */
  #accept({ offer, trader, odds, amount }: OpenOffer): Operation {
    const others = TRADERS.filter(({ reference }) => reference !== trader) as [Trader, ...Trader[]];
    const part = this.#random.happens(0.5) ? amount : rounded(amount / 2);
    const data = {
      accepting_user_reference: this.#random.pick(others).reference,
      maximum_odds: odds,
      accepting_amount: part,
    };
    return { operation_type: 'accept_bet_offer', offer, data };
  }

  #cancel({ offer, trader }: OpenOffer): Operation {
    const data = { requesting_user_reference: trader, cancel_all: true };
    return { operation_type: 'cancel_bet_offer', offer, data };
  }
}

/** Opens the market: its bettors pay in, and have traded for a while. */
export async function openMarket(businessApi: LedgerClient, seed: number): Promise<OpenMarket> {
  const trading = new Trading(seed);
  const betIds: BetIds = new Map();
  for (const trader of TRADERS) await openBettor(businessApi, { ...trader, funds: FUNDS });
  const act = () => send(businessApi, [trading.next()], betIds);
  for (let count = 0; count < FIRST_ACTIONS; count += 1) await act();
  return {
    async trade(stopping) {
      while (!stopping.aborted) {
        await act();
        await delay(PAUSE_MS, undefined, { signal: stopping }).catch(() => undefined);
      }
    },
  };
}
