import type { Outcome } from '#core/outcome.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import { type Market, type Match, markets, matches, outcomeOf, wagerOf } from './matches.js';
import { names, referenceOf } from './names.js';
import { Slate } from './slate.js';
import type { AcceptOffer, CancelOffer, MakeOffer, Step } from './steps.js';

// The whole evening as data, made before anything is played. It depends on nothing but its size and its seed.

export interface Bettor {
  readonly name: string;
  readonly reference: string;
  /** What is paid in at the door. */
  readonly funds: number;
}

export interface Wager {
  readonly reference: string;
  readonly match: Match;
  /** One after the other, so that the evening is always the same; different wagers do not wait for each other. */
  readonly steps: readonly Step[];
  readonly outcome: Outcome;
  /** Only where the correction of the match makes a difference. */
  readonly corrected: Outcome | undefined;
}

export interface Evening {
  readonly bettors: readonly Bettor[];
  readonly wagers: readonly Wager[];
  /** What should be matched in all. */
  readonly matchedAmount: number;
}

export interface EveningSize {
  readonly seed: number;
  readonly offers: number;
}

const STAKES = [5, 5, 10, 10, 10, 15, 20, 25, 40] as const;
const ODDS_FACTORS = [0.85, 0.9, 0.95, 1, 1, 1, 1.05, 1.1, 1.15, 1.25] as const;
const LOWEST_ODDS = 1.05;
/** How often, of 1, an offer is followed by each of these. */
const ACCEPTANCES = 0.9;
const CANCELS = 0.06;
const BATCHES = 0.05;
/** Nobody brings less than a note, and nobody brings coins. */
const NOTE = 50;

interface Table {
  readonly match: Match;
  readonly market: Market;
  readonly reference: string;
  readonly slate: Slate;
  readonly steps: Step[];
  readonly weight: number;
}

export function planEvening({ seed, offers }: EveningSize): Evening {
  const plan = new Plan(createSeededRandom(seed));
  while (plan.offers < offers) plan.goOn();
  return {
    bettors: plan.bettors(),
    wagers: plan.tables
      .filter(({ steps }) => steps.length > 0)
      .map(({ match, market, reference, steps }) => {
        const outcome = outcomeOf(market, match.result);
        const corrected = outcomeOf(market, match.corrected ?? match.result);
        return { reference, match, steps, outcome, corrected: corrected === outcome ? undefined : corrected };
      }),
    matchedAmount: plan.matchedAmount,
  };
}

class Plan {
  readonly tables: readonly [Table, ...Table[]];
  offers = 0;
  matchedAmount = 0;
  readonly #chance: SeededRandom;
  readonly #references: readonly [string, ...string[]];
  /** The worst that all of a bettor's bets could cost, whatever becomes of them. */
  readonly #atRisk = new Map<string, number>();

  constructor(chance: SeededRandom) {
    this.#chance = chance;
    const tables = matches.flatMap((match) => markets.map((market) => tableFor(match, market)));
    this.tables = tables as [Table, ...Table[]];
    this.#references = names.map(referenceOf) as [string, ...string[]];
  }

  /** One more offer somewhere, and what it leads to. */
  goOn(): void {
    const table = this.#chance.pickWeighted(this.tables);
    if (this.#chance.happens(BATCHES)) this.#changeMind(table);
    else table.steps.push([this.#offer(table, this.#chance.pick(this.#references))]);
    if (this.#chance.happens(ACCEPTANCES)) this.#accept(table);
    if (this.#chance.happens(CANCELS)) this.#cancel(table);
  }

  /** Everybody brings enough for the worst: no bet of the evening is refused, in whatever order the wagers proceed. */
  bettors(): Bettor[] {
    return names.map((name) => {
      const reference = referenceOf(name);
      return { name, reference, funds: Math.ceil(((this.#atRisk.get(reference) ?? 0) + 1) / NOTE) * NOTE };
    });
  }

  #offer({ market, reference, slate }: Table, bettor: string): MakeOffer {
    const odds = Math.max(LOWEST_ODDS, inTwentieths(market.odds * this.#chance.pick(ODDS_FACTORS)));
    const amount = this.#chance.pick(STAKES);
    this.offers += 1;
    this.#risk(bettor, amount);
    slate.add({ bettor, odds, amount });
    return {
      operation_type: 'make_bet_offer',
      data: {
        wager_reference: reference,
        requesting_user_reference: bettor,
        requesting_odds: odds,
        requesting_amount: amount,
      },
    };
  }

  /** Takes the best of what there is: a part of an offer, or several of them. */
  #accept({ reference, slate, steps }: Table): void {
    const bettor = this.#chance.pick(this.#references);
    const open = slate.openFor(bettor);
    if (open.length === 0) return;
    const maximumOdds = this.#chance.pick(open as [(typeof open)[number]]).odds;
    const amount = this.#chance.pick(STAKES);
    for (const taken of slate.take(bettor, maximumOdds, amount)) {
      this.matchedAmount += taken.amount;
      this.#risk(bettor, taken.amount * (taken.odds - 1));
    }
    const acceptance: AcceptOffer = {
      operation_type: 'accept_bet_offer',
      data: {
        wager_reference: reference,
        accepting_user_reference: bettor,
        maximum_odds: maximumOdds,
        accepting_amount: amount,
      },
    };
    steps.push([acceptance]);
  }

  #cancel({ reference, slate, steps }: Table): void {
    const [first, ...others] = slate.offers;
    if (first === undefined) return;
    const { bettor, amount } = this.#chance.pick([first, ...others]);
    const part = this.#chance.happens(0.5) ? Math.ceil(amount / 3) : undefined;
    slate.cancel(bettor, part);
    steps.push([cancelOf(reference, bettor, part)]);
  }

  /** A batch: all of a bettor's offers there are replaced by two new ones; or two begin it. */
  #changeMind(table: Table): void {
    const [first, ...others] = table.slate.offers;
    if (first === undefined) {
      const bettor = this.#chance.pick(this.#references);
      table.steps.push([this.#offer(table, bettor), this.#offer(table, bettor)]);
      return;
    }
    const { bettor } = this.#chance.pick([first, ...others]);
    table.slate.cancel(bettor);
    const cancel = cancelOf(table.reference, bettor, undefined);
    table.steps.push([cancel, this.#offer(table, bettor), this.#offer(table, bettor)]);
  }

  #risk(bettor: string, amount: number): void {
    this.#atRisk.set(bettor, (this.#atRisk.get(bettor) ?? 0) + amount);
  }
}

function tableFor(match: Match, market: Market): Table {
  const reference = wagerOf(match, market);
  return { match, market, reference, slate: new Slate(), steps: [], weight: match.weight * market.weight };
}

function cancelOf(reference: string, bettor: string, amount: number | undefined): CancelOffer {
  return {
    operation_type: 'cancel_bet_offer',
    data: {
      wager_references: [reference],
      requesting_user_reference: bettor,
      ...(amount === undefined ? { cancel_all: true } : { cancel_amount: amount }),
    },
  };
}

const inTwentieths = (odds: number) => Math.round(odds * 20) / 20;
