import { movementOf } from '#core/impact.js';
import { asMicros, type Micros, ZERO } from '#core/money.js';
import type { DecidedOutcome } from '#core/records.js';
import { micros, oddsMicros } from '#tools/shared/amounts.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import type { AcceptOffer, BettorRequest, CancelOffer, MakeOffer } from './bettor-requests.js';
import { type Game, games, type Market, markets, outcomeOf, wagerReferenceOf } from './games.js';

// The whole evening as data, from its size and its seed alone. Every acceptance and every cancel names one offer, and no
// offer is named twice (what is left of an offer is a bet of its own), so the plan needs no order of matching.

export interface Bettor {
  readonly name: string;
  readonly reference: string;
  readonly funds: number;
  /** The bettor's gain when the evening is over: negative for a loss. */
  readonly won: Micros;
}

export interface Wager {
  readonly reference: string;
  readonly game: Game;
  /** Sent one after the other; different wagers do not wait for each other. */
  readonly requests: readonly BettorRequest[];
  readonly outcome: DecidedOutcome;
  /** Set when the correction of the game changes the outcome. */
  readonly corrected: DecidedOutcome | undefined;
}

export interface Evening {
  readonly bettors: readonly Bettor[];
  readonly wagers: readonly Wager[];
  readonly matchedAmount: number;
  /** The accepted offer whose bet is overridden as void; undefined when nothing was matched. */
  readonly overriddenOffer: number | undefined;
}

const FIRST = ['Ada', 'Ben', 'Cleo', 'Dev', 'Edie', 'Finn', 'Gia', 'Hugo', 'Iris', 'Jon'];
const LAST = ['Ashdown', 'Birch', 'Copper', 'Dale', 'Elmwood'];

/** Fifty invented people. */
export const bettorNames: readonly string[] = LAST.flatMap((last) => FIRST.map((first) => `${first} ${last}`));

const referenceOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

const STAKES = [5, 5, 10, 10, 10, 15, 20, 25, 40] as const;
const ODDS_FACTORS = [0.85, 0.9, 0.95, 1, 1, 1, 1.05, 1.1, 1.15, 1.25] as const;
const LOWEST_ODDS = 1.05;
/** The probability that an offer is followed by each of these. */
const ACCEPTANCES = 0.9;
const CANCELS = 0.06;
/** The probability that a bettor sends a batch instead of a single offer. */
const BATCHES = 0.05;
/** Funds are a multiple of this. */
const NOTE = 50;

interface PlannedOffer {
  readonly number: number;
  readonly bettor: string;
  readonly odds: number;
  readonly amount: number;
}

interface Bet {
  readonly offer: PlannedOffer;
  readonly acceptor: string;
  readonly amount: number;
}

interface WagerPlan {
  readonly game: Game;
  readonly market: Market;
  readonly reference: string;
  /** Offers that no other operation names yet. */
  readonly openOffers: PlannedOffer[];
  readonly bets: Bet[];
  readonly requests: BettorRequest[];
  readonly weight: number;
}

export function planEvening({ seed, offers }: { readonly seed: number; readonly offers: number }): Evening {
  const plan = new Plan(createSeededRandom(seed));
  while (plan.offers < offers) plan.addOffer();
  const plans = plan.wagers.filter(({ requests }) => requests.length > 0);
  const bets = plans.flatMap((wager) => wager.bets);
  const overriddenOffer = plans.find((wager) => wager.bets.length > 0 && wager.game.result !== 'abandoned')?.bets[0]
    ?.offer.number;
  return {
    bettors: bettorsOf(plans, overriddenOffer),
    wagers: plans.map(({ game, market, reference, requests }) => {
      const outcome = outcomeOf(market, game.result);
      const corrected = finalOutcomeOf({ game, market });
      return { reference, game, requests, outcome, corrected: corrected === outcome ? undefined : corrected };
    }),
    matchedAmount: bets.reduce((sum, { amount }) => sum + amount, 0),
    overriddenOffer,
  };
}

class Plan {
  readonly wagers: readonly [WagerPlan, ...WagerPlan[]];
  offers = 0;
  readonly #chance: SeededRandom;
  readonly #references: readonly [string, ...string[]];

  constructor(chance: SeededRandom) {
    this.#chance = chance;
    const wagers = games.flatMap((game) => markets.map((market) => wagerPlanFor(game, market)));
    this.wagers = wagers as [WagerPlan, ...WagerPlan[]];
    this.#references = bettorNames.map(referenceOf) as [string, ...string[]];
  }

  /** Adds an offer or a batch to one wager, and what follows from it. */
  addOffer(): void {
    const wager = this.#chance.pickWeighted(this.wagers);
    if (this.#chance.happens(BATCHES)) this.#addBatch(wager);
    else wager.requests.push([this.#offer(wager, this.#chance.pick(this.#references))]);
    if (this.#chance.happens(ACCEPTANCES)) this.#accept(wager);
    if (this.#chance.happens(CANCELS)) this.#cancel(wager);
  }

  #offer({ market, reference, openOffers }: WagerPlan, bettor: string): MakeOffer {
    const odds = Math.max(LOWEST_ODDS, inTwentieths(market.odds * this.#chance.pick(ODDS_FACTORS)));
    const amount = this.#chance.pick(STAKES);
    this.offers += 1;
    openOffers.push({ number: this.offers, bettor, odds, amount });
    return {
      operation_type: 'make_bet_offer',
      offer: this.offers,
      data: {
        wager_reference: reference,
        requesting_user_reference: bettor,
        requesting_odds: odds,
        requesting_amount: amount,
      },
    };
  }

  #accept({ openOffers, bets, requests }: WagerPlan): void {
    const acceptor = this.#chance.pick(this.#references);
    const offer = this.#takeOut(openOffers, ({ bettor }) => bettor !== acceptor);
    if (offer === undefined) return;
    const amount = Math.min(offer.amount, this.#chance.pick(STAKES));
    bets.push({ offer, acceptor, amount });
    const acceptance: AcceptOffer = {
      operation_type: 'accept_bet_offer',
      offer: offer.number,
      data: { accepting_user_reference: acceptor, maximum_odds: offer.odds, accepting_amount: amount },
    };
    requests.push([acceptance]);
  }

  #cancel({ openOffers, requests }: WagerPlan): void {
    const offer = this.#takeOut(openOffers);
    if (offer === undefined) return;
    const part = this.#chance.happens(0.5) ? Math.ceil(offer.amount / 3) : undefined;
    requests.push([cancelOf(offer, part)]);
  }

  /** A bettor replaces an offer by two new ones; where no offer is open, the batch makes two. */
  #addBatch(wager: WagerPlan): void {
    const offer = this.#takeOut(wager.openOffers);
    const bettor = offer?.bettor ?? this.#chance.pick(this.#references);
    const offers: BettorRequest = [this.#offer(wager, bettor), this.#offer(wager, bettor)];
    wager.requests.push(offer === undefined ? offers : [cancelOf(offer), ...offers]);
  }

  #takeOut(
    offers: PlannedOffer[],
    isEligible: (offer: PlannedOffer) => boolean = () => true,
  ): PlannedOffer | undefined {
    const [first, ...others] = offers.filter(isEligible);
    if (first === undefined) return undefined;
    const offer = this.#chance.pick([first, ...others]);
    offers.splice(offers.indexOf(offer), 1);
    return offer;
  }
}

function wagerPlanFor(game: Game, market: Market): WagerPlan {
  const reference = wagerReferenceOf(game, market);
  return { game, market, reference, openOffers: [], bets: [], requests: [], weight: game.weight * market.weight };
}

function cancelOf({ number, bettor, amount }: PlannedOffer, part = amount): CancelOffer {
  return {
    operation_type: 'cancel_bet_offer',
    offer: number,
    data: {
      requesting_user_reference: bettor,
      ...(part === amount ? { cancel_all: true } : { cancel_amount: part }),
    },
  };
}

/** Funds cover the worst of all outcomes: no bet is refused, in any order of the wagers. */
function bettorsOf(plans: readonly WagerPlan[], overriddenOffer: number | undefined): Bettor[] {
  const [atRisk, won] = [new Map<string, number>(), new Map<string, Micros>()];
  const addRisk = (bettor: string, amount: number) => atRisk.set(bettor, (atRisk.get(bettor) ?? 0) + amount);
  const addGain = (bettor: string, gain: bigint) => won.set(bettor, asMicros((won.get(bettor) ?? ZERO) + gain));
  const made = plans
    .flatMap(({ requests }) => requests.flat())
    .filter((one) => one.operation_type === 'make_bet_offer');
  for (const { data } of made) addRisk(data.requesting_user_reference, data.requesting_amount);
  for (const wager of plans) {
    for (const bet of wager.bets) {
      addRisk(bet.acceptor, bet.amount * (bet.offer.odds - 1));
      const gain = bet.offer.number === overriddenOffer ? ZERO : requesterGain(bet, finalOutcomeOf(wager));
      addGain(bet.offer.bettor, gain);
      addGain(bet.acceptor, -gain);
    }
  }
  return bettorNames.map((name) => {
    const reference = referenceOf(name);
    const funds = Math.ceil(((atRisk.get(reference) ?? 0) + 1) / NOTE) * NOTE;
    return { name, reference, funds, won: won.get(reference) ?? ZERO };
  });
}

const finalOutcomeOf = ({ game, market }: Pick<WagerPlan, 'game' | 'market'>): DecidedOutcome =>
  outcomeOf(market, game.corrected ?? game.result);

function requesterGain(bet: Bet, outcome: DecidedOutcome): Micros {
  return movementOf(outcome, { odds: oddsMicros(bet.offer.odds), amount: micros(bet.amount) }, null);
}

const inTwentieths = (odds: number) => Math.round(odds * 20) / 20;
