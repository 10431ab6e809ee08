import { isOpen } from '../bet-state.js';
import type { Book } from '../book.js';
import type { Decision } from '../decision.js';
import { findUser } from '../find-user.js';
import { asMicros, formatMicros, type Micros, minimumOf, type OddsMicros, ZERO } from '../money.js';
import { MoreOffers, type Needs, needs, type UserIdentifier } from '../needs.js';
import { byAge, type OfferPlace, reaches } from '../offers.js';
import { isDecided } from '../outcome.js';
import type { Bet, User, Wager } from '../records.js';
import { Rejection, reject } from '../rejection.js';
import { openRest, takeStep } from '../step.js';

export interface CancelOffer {
  readonly type: 'cancel_bet_offer';
  readonly requestingUser: UserIdentifier;
  readonly wagerReferences: readonly string[];
  /** When given, only this bet is canceled; wagers and odds are ignored. */
  readonly betId: bigint | null;
  readonly cancelAmount: Micros | null;
  /** Takes precedence over the amount. */
  readonly cancelAll: boolean;
  readonly minimumOdds: OddsMicros | null;
  readonly maximumOdds: OddsMicros | null;
}

/** The canceled bet; or, when a part of it remains, the new bet that carries the rest, with a note. */
export interface CanceledOffer {
  readonly betId: bigint;
  readonly wagerId: bigint;
  readonly wagerReference: string;
  readonly note: string | null;
}

interface Match {
  readonly bet: Bet;
  readonly amount: Micros;
}

export const needsOfCancelOffer = (operation: CancelOffer): Needs => {
  const { betId, wagerReferences, requestingUser } = operation;
  if (betId !== null) return needs({ users: [requestingUser], betIds: [betId], newBets: 1 });
  return needs({
    users: [requestingUser],
    wagers: wagerReferences.map((reference) => ({ reference })),
    ownOffers: { wagerReferences, requestingUser, amount: limitOf(operation) },
    newBets: 1,
  });
};

export const cancelOffer = (book: Book, operation: CancelOffer): Decision<readonly CanceledOffer[]> => {
  const { betId, wagerReferences, cancelAmount, cancelAll } = operation;
  const user = findUser(book, operation.requestingUser, 'requesting_user');
  if (user instanceof Rejection) return user;
  if (betId === null && wagerReferences.length === 0) return reject('not-defined', 'wager_references', 'bet_id');
  if (cancelAmount === null && !cancelAll) return reject('not-defined', 'cancel_amount', 'cancel_all');
  const matches =
    betId === null ? matchOldestFirst(book, user, operation) : matchBet(book, book.bets.get(betId), user, operation);
  if (matches instanceof Rejection || matches instanceof MoreOffers) return matches;
  if (matches.length === 0) return reject('no-cancelable-bets');

  // Point of no return: from here on there are only changes.
  return { answer: matches.map((match) => cancel(book, match)), commitment: null };
};

/** Null: no limit. */
const limitOf = ({ cancelAll, cancelAmount }: CancelOffer): Micros | null => (cancelAll ? null : cancelAmount);

const part = (bet: Bet, limit: Micros | null): Match => ({
  bet,
  amount: limit === null ? bet.requestingAmount : minimumOf(limit, bet.requestingAmount),
});

const matchBet = (
  book: Book,
  bet: Bet | undefined,
  user: User,
  operation: CancelOffer,
): readonly Match[] | Rejection => {
  if (bet === undefined) return reject('bet-not-found');
  const isTakingOffers = !isDecided(book.wager(bet.wagerId).outcome);
  const isMatch = bet.requestingUserId === user.id && isOpen(bet) && isTakingOffers;
  return isMatch ? [part(bet, limitOf(operation))] : [];
};

/** Cancels none behind the part that is covered in every wager: an older offer may stand in any of them. */
const matchOldestFirst = (book: Book, user: User, operation: CancelOffer): readonly Match[] | MoreOffers => {
  const wagers = findOpenWagers(book, operation.wagerReferences);
  const { known, partlyKnown } = coverageOf(book, user, wagers);
  const matches: Match[] = [];
  let missing = limitOf(operation);
  for (const bet of wagers.flatMap((wager) => [...book.offersOf(wager.id).openOf(user.id)]).sort(byAge)) {
    if (!reaches(known, bet, byAge)) break;
    if (!isWithinOdds(bet, operation)) continue;
    const match = part(bet, missing);
    matches.push(match);
    if (missing !== null) missing = asMicros(missing - match.amount);
    if (missing === ZERO) return matches;
  }
  if (known === 'all') return matches;
  const scope = { kind: 'ownOf', requestingUserId: user.id } as const;
  return new MoreOffers({ scope, wagerIds: partlyKnown, maximumOdds: null, after: known });
};

/** Unknown wagers have no offers. Those of a decided wager count as expired, even before the worker expires them. */
const findOpenWagers = (book: Book, wagerReferences: readonly string[]): readonly Wager[] =>
  [...new Set(wagerReferences)].flatMap((reference) => {
    const wager = book.wagerNamed(reference);
    return wager === undefined || isDecided(wager.outcome) ? [] : [wager];
  });

/** The place up to which the user's offers are loaded in all of the wagers. */
const coverageOf = (book: Book, user: User, wagers: readonly Wager[]) => {
  let known: OfferPlace | 'all' | null = 'all';
  const partlyKnown: bigint[] = [];
  for (const wager of wagers) {
    const coverage = book.offersOf(wager.id).coverageOf({ kind: 'ownOf', requestingUserId: user.id });
    if (coverage === 'all') continue;
    partlyKnown.push(wager.id);
    if (coverage === null || known === null) known = null;
    else if (known === 'all' || byAge(coverage, known) < 0) known = coverage;
  }
  return { known, partlyKnown };
};

const isWithinOdds = ({ requestingOdds }: Bet, { minimumOdds, maximumOdds }: CancelOffer): boolean =>
  (minimumOdds === null || requestingOdds >= minimumOdds) && (maximumOdds === null || requestingOdds <= maximumOdds);

const cancel = (book: Book, { bet, amount }: Match): CanceledOffer => {
  const { wagerId } = bet;
  const wagerReference = book.wager(wagerId).reference;
  const rest = asMicros(bet.requestingAmount - amount);
  const canceled = rest === ZERO ? '' : ` for ${formatMicros(amount)} of ${formatMicros(bet.requestingAmount)}`;
  takeStep(book, bet, { offerStatus: 'canceled' }, `Offer canceled${canceled}`);
  if (rest === ZERO) return { betId: bet.id, wagerId, wagerReference, note: null };
  const remaining = openRest(book, bet, { amount: rest, description: `Offer for the rest of canceled bet ${bet.id}` });
  return { betId: remaining.id, wagerId, wagerReference, note: `Remaining amount: ${formatMicros(rest)}` };
};
