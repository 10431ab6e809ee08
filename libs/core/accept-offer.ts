import type { Book } from './book.js';
import { isPastItsTime, movementOf } from './impact.js';
import { asMicros, formatMicros, type Micros, minimumOf, ODDS_ONE, type OddsMicros, ZERO } from './money.js';
import { type Needs, NO_NEEDS, type UserIdentifier } from './needs.js';
import { isAllowed, offersInOrder } from './offers.js';
import type { Bet, User, Wager } from './records.js';
import { type OperationResult, Rejection, reject } from './rejection.js';
import { openRest, takeStep } from './step.js';
import { refuseBetting } from './wager-status.js';

export interface AcceptOffer {
  readonly type: 'accept_bet_offer';
  /** The caller gives one of the two; the bet takes precedence. */
  readonly wagerReference: string | null;
  readonly betId: bigint | null;
  readonly acceptingUser: UserIdentifier;
  /** Null: offers of any user. */
  readonly requestingUser: UserIdentifier | null;
  readonly maximumOdds: OddsMicros;
  /** In units of the requester's stake. */
  readonly acceptingAmount: Micros;
  /** How many offers it matches at most: there it stops as it does when the book ends. */
  readonly bound: number;
}

export interface AcceptedOffer {
  readonly betId: bigint;
  readonly requestingUserId: bigint;
  readonly requestingUserReference: string;
  readonly acceptedAmount: Micros;
  readonly acceptedOdds: OddsMicros;
  readonly wagerId: bigint;
  readonly wagerReference: string;
}

interface Match {
  readonly bet: Bet;
  readonly amount: Micros;
}

/** The acceptor, whose offers it takes (null: of any user), and its terms. */
interface Search {
  readonly acceptor: User;
  readonly requesterId: bigint | null;
  readonly maximumOdds: OddsMicros;
  readonly amount: Micros;
}

export const needsOfAcceptOffer = (operation: AcceptOffer): Needs => {
  const { betId, wagerReference, acceptingUser, requestingUser, maximumOdds, acceptingAmount: amount } = operation;
  const who = { users: [acceptingUser], namedUsers: requestingUser === null ? [] : [requestingUser] };
  if (betId !== null) return { ...NO_NEEDS, betIds: [betId], newBets: 1, ...who };
  if (wagerReference === null) return { ...NO_NEEDS, ...who };
  return {
    ...NO_NEEDS,
    wagers: [{ reference: wagerReference }],
    matchingOffers: { wagerReference, maximumOdds, amount },
    newBets: 1,
    ...who,
  };
};

export const acceptOffer = (book: Book, operation: AcceptOffer): OperationResult<readonly AcceptedOffer[]> => {
  const tooFine = book.refuseAmount(operation.acceptingAmount, 'accepting_amount');
  if (tooFine !== null) return tooFine;
  const acceptor = book.findUser(operation.acceptingUser, 'accepting_user');
  if (acceptor instanceof Rejection) return acceptor;
  const requesterId = findRequesterId(book, operation.requestingUser);
  if (requesterId instanceof Rejection) return requesterId;
  const { betId, maximumOdds, acceptingAmount: amount } = operation;
  const search: Search = { acceptor, requesterId, maximumOdds, amount };
  const matches = betId === null ? matchWager(book, operation, search) : matchBet(book, book.bets.get(betId), search);
  if (matches instanceof Rejection) return matches;

  // Point of no return: from here on there are only changes.
  const answer = matches.map((match) => take(book, acceptor, match));
  return { answer, commitment: { user: acceptor, unfunded: 'acceptance-unfunded' } };
};

/** Null: it takes the offers of any user. */
const findRequesterId = (book: Book, requester: UserIdentifier | null): bigint | null | Rejection => {
  if (requester === null || (requester.id === undefined && requester.reference === undefined)) return null;
  return book.findUserId(requester, 'requesting_user');
};

const matchBet = (book: Book, bet: Bet | undefined, search: Search): readonly Match[] | Rejection => {
  // The caller cannot know the id of an offer that another operation of this Book just made, and the acceptor's
  // position was not loaded for it.
  if (bet === undefined || !book.holdsPosition(search.acceptor.id, bet.wagerId)) return reject('bet-not-found');
  const refused = refuseBetting(book, book.wager(bet.wagerId));
  if (refused !== null) return refused;
  if (bet.offerStatus !== 'requesting' || book.isCanceling(bet) || isPastItsTime(bet, book.now)) {
    return reject('bet-not-requesting');
  }
  if (!bet.isActive) return reject('bet-inactive');
  if (bet.requestingUserId === search.acceptor.id) return reject('own-offer');
  if (search.requesterId !== null && search.requesterId !== bet.requestingUserId) return reject('other-requester');
  if (!isAllowed(bet, search.acceptor.id)) return reject('acceptor-not-allowed');
  if (bet.requestingOdds > search.maximumOdds) {
    return reject('odds-above-maximum', formatMicros(bet.requestingOdds), formatMicros(search.maximumOdds));
  }
  const amount = minimumOf(bet.requestingAmount, search.amount);
  return isWorth(book, bet, amount) ? [{ bet, amount }] : reject('part-too-small');
};

const matchWager = (
  book: Book,
  { wagerReference, bound }: Pick<AcceptOffer, 'wagerReference' | 'bound'>,
  search: Search,
): readonly Match[] | Rejection => {
  if (wagerReference === null) return reject('not-defined', 'wager_reference', 'bet_id');
  const wager = book.wagerNamed(wagerReference);
  // An unknown wager has no offers.
  if (wager === undefined) return reject('no-matching-offers');
  const refused = refuseBetting(book, wager);
  if (refused !== null) return refused;
  const matches = matchBestFirst(book, wager, { bound, ...search });
  return matches.length > 0 ? matches : reject('no-matching-offers');
};

const matchBestFirst = (book: Book, wager: Wager, search: Search & { readonly bound: number }): readonly Match[] => {
  const { acceptor, requesterId: requestingUserId, maximumOdds, amount, bound } = search;
  const scope = { kind: 'acceptableTo', acceptingUserId: acceptor.id, requestingUserId } as const;
  const matches: Match[] = [];
  let missing = amount;
  for (const bet of offersInOrder(book, { scope, wagers: [wager], maximumOdds })) {
    const taken = minimumOf(missing, bet.requestingAmount);
    if (!isWorth(book, bet, taken)) continue;
    matches.push({ bet, amount: taken });
    missing = asMicros(missing - taken);
    if (missing === ZERO || matches.length === bound) break;
  }
  return matches;
};

/** A part whose winnings are rounded to nothing would be had for nothing, again and again. */
const isWorth = (book: Book, { requestingAmount, requestingOdds: odds }: Bet, amount: Micros): boolean =>
  book.unit === null ||
  amount === requestingAmount ||
  odds === ODDS_ONE ||
  movementOf('win', { odds, amount }, book.unit) > ZERO;

/** Accepts the offer for the amount taken, under its own id; a new offer carries the rest. */
const take = (book: Book, acceptor: User, { bet, amount }: Match): AcceptedOffer => {
  const rest = asMicros(bet.requestingAmount - amount);
  const part = rest === ZERO ? '' : ` for ${formatMicros(amount)} of ${formatMicros(bet.requestingAmount)}`;
  const trail = takeStep(
    book,
    bet,
    {
      offerStatus: 'accepted',
      acceptingUserId: acceptor.id,
      acceptedAt: book.now,
      effectiveOdds: bet.requestingOdds,
      effectiveAmount: amount,
    },
    `Offer accepted${part}`,
  );
  if (rest !== ZERO) {
    const description = `Offer for the rest of accepted bet ${bet.id}`;
    trail.restBetId = openRest(book, bet, { amount: rest, description }).id;
  }
  const { wagerId, requestingUserId } = bet;
  return {
    betId: bet.id,
    requestingUserId,
    requestingUserReference: book.user(requestingUserId).reference,
    acceptedAmount: amount,
    acceptedOdds: bet.requestingOdds,
    wagerId,
    wagerReference: book.wager(wagerId).reference,
  };
};
