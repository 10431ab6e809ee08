import type { Book } from './book.js';
import { ODDS_ONE, type OddsMicros } from './money.js';
import { MoreOffers } from './needs.js';
import { byAge, byOdds, type Coverage, endOfOdds, type OfferScope, orderOf, reaches } from './offers.js';
import type { Bet, Wager } from './records.js';

export interface WantedOffers {
  readonly scope: Exclude<OfferScope, { kind: 'everyone' }>;
  readonly wagers: readonly Wager[];
  /** Of a scope in matching order: offers above are not wanted. Null: any odds. */
  readonly maximumOdds: OddsMicros | null;
}

/**
 * The open offers of the scope in its order. It hides that only slices of them are loaded: when the operation asks for
 * an offer behind what is loaded, it throws MoreOffers, and the operation runs again with more.
 */
export function* offersInOrder(book: Book, wanted: WantedOffers): Generator<Bet, void, undefined> {
  const { scope, wagers, maximumOdds } = wanted;
  const order = orderOf(scope);
  const { known, partlyKnown } = coverageOf(book, wanted);
  const loaded = wagers.map((wager) => book.offersOf(wager.id).in(scope));
  const [only] = loaded;
  for (const bet of only !== undefined && loaded.length === 1
    ? only
    : loaded.flatMap((some) => [...some]).sort(order)) {
    if (maximumOdds !== null && bet.requestingOdds > maximumOdds) break;
    if (!reaches(known, bet, order)) break;
    yield bet;
  }
  if (known !== 'all') throw new MoreOffers({ scope, wagerIds: partlyKnown, maximumOdds, after: known });
}

/**
 * How many offers of one wager the scope has up to a place, beside those that are taken. Where the wager is not loaded up
 * to the place, the offers behind are as many as the ledger counted.
 */
export const countOffers = (
  book: Book,
  wanted: WantedOffers & { readonly wagers: readonly [Wager] },
  { taken, upTo }: { readonly taken: ReadonlySet<Bet>; readonly upTo: Pick<Bet, 'queuePlace' | 'id'> },
): number => {
  const { scope } = wanted;
  const offers = book.offersOf(wanted.wagers[0].id);
  const end = { ...upTo, requestingOdds: ODDS_ONE };
  const coverage = offers.coverageOf(scope);
  const isLoaded = reaches(coverage, end, byAge);
  const behindCount = isLoaded ? 0 : offers.behindCountOf(scope);
  if (behindCount === undefined) {
    const { partlyKnown, known } = coverageOf(book, wanted);
    throw new MoreOffers({ scope, wagerIds: partlyKnown, maximumOdds: null, after: known === 'all' ? null : known });
  }
  const isCounted = (bet: Bet) => !taken.has(bet) && reaches(coverage, bet, byAge) && byAge(bet, end) <= 0;
  return behindCount + [...offers.in(scope)].filter(isCounted).length;
};

/** The place up to which the scope is loaded in all of the wagers, and those of which more may be wanted. */
const coverageOf = (book: Book, { scope, wagers, maximumOdds }: WantedOffers) => {
  const order = orderOf(scope);
  let known: Coverage | null = 'all';
  const partlyKnown: bigint[] = [];
  for (const wager of wagers) {
    const coverage = book.offersOf(wager.id).coverageOf(scope);
    if (coverage === 'all') continue;
    if (maximumOdds !== null && reaches(coverage, endOfOdds(maximumOdds), byOdds)) continue;
    partlyKnown.push(wager.id);
    if (coverage === null || known === null) known = null;
    else if (known === 'all' || order(coverage, known) < 0) known = coverage;
  }
  return { known, partlyKnown };
};
