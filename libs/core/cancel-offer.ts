import type { Book } from './book.js';
import { isDecided, isOpen } from './impact.js';
import { asMicros, formatMicros, type Micros, minimumOf, type OddsMicros, ZERO } from './money.js';
import { type Needs, NO_NEEDS, type UserIdentifier } from './needs.js';
import { countOffers, type OwnOffers, offersInOrder, type WantedOffers } from './offers.js';
import type { Bet, PendingCancel, User, Wager } from './records.js';
import { type OperationResult, Rejection, reject } from './rejection.js';
import { CANCELED, endOffer, openRest, takeStep } from './step.js';

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
  /** How many offers it cancels at most in its own transaction. The others are canceling: the worker cancels them. */
  readonly bound: number;
}

/** The canceled bet; or, when a part of it remains, the new bet that carries the rest, with a note. */
interface CanceledOffer {
  readonly betId: bigint;
  readonly wagerId: bigint;
  readonly wagerReference: string;
  readonly note: string | null;
}

export interface CanceledOffers {
  readonly offers: readonly CanceledOffer[];
  /** How many more offers are canceling: no user can accept them, and the worker cancels them. */
  readonly remainingCount: number;
}

interface Match {
  readonly bet: Bet;
  readonly amount: Micros;
}

/** A cancel draws its position when nothing can stop it any more. */
type CancelTerms = Omit<PendingCancel, 'position'>;

interface Matched {
  readonly matches: readonly Match[];
  readonly left: ReadonlyMap<Wager, CancelTerms>;
  readonly leftCount: number;
}

const NOTHING_LEFT = { left: new Map<Wager, CancelTerms>(), leftCount: 0 } as const;
const NO_MATCH: Matched = { matches: [], ...NOTHING_LEFT };

export const needsOfCancelOffer = (operation: CancelOffer): Needs => {
  const { betId, wagerReferences, requestingUser, minimumOdds, maximumOdds } = operation;
  if (betId !== null) return { ...NO_NEEDS, users: [requestingUser], betIds: [betId], newBets: 1 };
  return {
    ...NO_NEEDS,
    users: [requestingUser],
    wagers: wagerReferences.map((reference) => ({ reference })),
    ownOffers: { wagerReferences, requestingUser, minimumOdds, maximumOdds },
    // The rest of an offer, and the position of what is left to the worker.
    newBets: limitOf(operation) === null ? 1 : 2,
  };
};

export const cancelOffer = (book: Book, operation: CancelOffer): OperationResult<CanceledOffers> => {
  const { betId, wagerReferences, cancelAmount, cancelAll } = operation;
  const tooFine = cancelAmount === null ? null : book.refuseAmount(cancelAmount, 'cancel_amount');
  if (tooFine !== null) return tooFine;
  const user = book.findUser(operation.requestingUser, 'requesting_user');
  if (user instanceof Rejection) return user;
  if (betId === null && wagerReferences.length === 0) return reject('not-defined', 'wager_references', 'bet_id');
  if (cancelAmount === null && !cancelAll) return reject('not-defined', 'cancel_amount', 'cancel_all');
  const matched =
    betId === null ? matchOldestFirst(book, user, operation) : matchBet(book, book.bets.get(betId), user, operation);
  if (matched instanceof Rejection) return matched;
  if (matched.matches.length === 0) return reject('no-cancelable-bets');

  // Point of no return: from here on there are only changes.
  leaveToWorker(book, matched.left);
  const offers = matched.matches.map((match) => cancel(book, match));
  return { answer: { offers, remainingCount: matched.leftCount }, commitment: null };
};

/** Null: no limit. */
const limitOf = ({ cancelAll, cancelAmount }: CancelOffer): Micros | null => (cancelAll ? null : cancelAmount);

const part = (bet: Bet, limit: Micros | null): Match => ({
  bet,
  amount: limit === null ? bet.requestingAmount : minimumOf(limit, bet.requestingAmount),
});

const matchBet = (book: Book, bet: Bet | undefined, user: User, operation: CancelOffer): Matched | Rejection => {
  if (bet === undefined) return reject('bet-not-found');
  const isTakingOffers = !isDecided(book.wager(bet.wagerId).outcome);
  const isMatch = bet.requestingUserId === user.id && isOpen(bet) && !book.isCanceling(bet) && isTakingOffers;
  return isMatch ? { matches: [part(bet, limitOf(operation))], ...NOTHING_LEFT } : NO_MATCH;
};

const matchOldestFirst = (book: Book, user: User, operation: CancelOffer): Matched => {
  const { minimumOdds, maximumOdds } = operation;
  const wanted: WantedOffers = {
    scope: { kind: 'ownOf', requestingUserId: user.id, minimumOdds, maximumOdds },
    wagers: findOpenWagers(book, operation.wagerReferences),
    maximumOdds: null,
  };
  const limit = limitOf(operation);
  return limit === null ? matchAll(book, wanted, operation) : matchAmount(book, wanted, { ...operation, limit });
};

/** The first ones up to the bound. The worker cancels the others, which are all that the user has offered so far. */
const matchAll = (book: Book, wanted: WantedOffers, { bound }: CancelOffer): Matched => {
  const matches: Match[] = [];
  for (const bet of offersInOrder(book, wanted)) {
    if (matches.length === bound) {
      const lastId = book.firstFreeBetId() - 1n;
      return { matches, ...leave(book, wanted, { matches, upTo: { queuePlace: lastId, id: lastId } }) };
    }
    matches.push(part(bet, null));
  }
  return { matches, ...NOTHING_LEFT };
};

/** A cancel by amount leaves to the worker no more than so many times the offers that it cancels itself: all of them are read. */
const REACH = 10;

/** This cancel does the offer of which a part remains, and the oldest ones; the worker does those between them. */
const matchAmount = (book: Book, wanted: WantedOffers, { limit, bound }: CancelOffer & { limit: Micros }): Matched => {
  const found: Match[] = [];
  let missing = limit;
  for (const bet of offersInOrder(book, wanted)) {
    const match = part(bet, missing);
    found.push(match);
    missing = asMicros(missing - match.amount);
    if (missing === ZERO || found.length === bound * REACH) break;
  }
  if (found.length <= bound) return { matches: found, ...NOTHING_LEFT };
  const last = found.filter(({ bet, amount }) => amount < bet.requestingAmount);
  const oldest = found.slice(0, bound - last.length);
  const matches = [...oldest, ...last];
  const lastLeft = found.at(-1 - last.length)?.bet;
  if (lastLeft === undefined) return { matches, ...NOTHING_LEFT };
  return { matches, ...leave(book, wanted, { matches, upTo: { queuePlace: lastLeft.queuePlace, id: lastLeft.id } }) };
};

/** Leaves to the worker what the scope has up to the place, beside the matches. */
const leave = (
  book: Book,
  wanted: WantedOffers,
  { matches, upTo }: Pick<Matched, 'matches'> & Pick<PendingCancel, 'upTo'>,
): Pick<Matched, 'left' | 'leftCount'> => {
  const { requestingUserId: userId, minimumOdds, maximumOdds } = wanted.scope as OwnOffers;
  const taken = new Set(matches.map(({ bet }) => bet));
  const left = new Map<Wager, CancelTerms>();
  let leftCount = 0;
  for (const wager of wanted.wagers) {
    const count = countOffers(book, { ...wanted, wagers: [wager] }, { taken, upTo });
    if (count > 0) left.set(wager, { userId, minimumOdds, maximumOdds, onlyOnSuspend: false, reason: null, upTo });
    leftCount += count;
  }
  return { left, leftCount };
};

const leaveToWorker = (book: Book, left: Matched['left']): void => {
  if (left.size === 0) return;
  const position = book.nextBetId();
  for (const [wager, terms] of left) leaveCancel(book, wager, { ...terms, position });
};

/** From now on these offers are canceled for all readers. It stands in the place of those cancels whose offers it takes. */
export const leaveCancel = (
  book: Book,
  wager: Wager,
  canceling: PendingCancel,
  isReplaced: (earlier: PendingCancel) => boolean = () => false,
): void => {
  // Their place too: a later cancel would else take what they have left.
  const place = wager.pendingCancels.findIndex(isReplaced);
  const others = wager.pendingCancels.filter((earlier) => !isReplaced(earlier));
  book.setPendingCancels(wager, others.toSpliced(place < 0 ? others.length : place, 0, canceling));
  book.journal.addEvent({ kind: 'wager.canceling', wager, facts: { canceling } });
  book.journal.addFollowUp({ kind: 'cancel-offers', wagerId: wager.id });
};

/** Unknown wagers have no offers. Those of a decided wager count as expired, even before the worker expires them. */
const findOpenWagers = (book: Book, wagerReferences: readonly string[]): readonly Wager[] =>
  [...new Set(wagerReferences)].flatMap((reference) => {
    const wager = book.wagerNamed(reference);
    return wager === undefined || isDecided(wager.outcome) ? [] : [wager];
  });

const cancel = (book: Book, { bet, amount }: Match): CanceledOffer => {
  const { wagerId } = bet;
  const wagerReference = book.wager(wagerId).reference;
  const rest = asMicros(bet.requestingAmount - amount);
  const canceled = rest === ZERO ? '' : ` for ${formatMicros(amount)} of ${formatMicros(bet.requestingAmount)}`;
  const trail = takeStep(book, bet, { offerStatus: 'canceled' }, `Offer canceled${canceled}`);
  if (rest === ZERO) return { betId: bet.id, wagerId, wagerReference, note: null };
  const remaining = openRest(book, bet, { amount: rest, description: `Offer for the rest of canceled bet ${bet.id}` });
  trail.restBetId = remaining.id;
  return { betId: remaining.id, wagerId, wagerReference, note: `Remaining amount: ${formatMicros(rest)}` };
};

/** The worker's part of a cancel: cancels the next offers of the wager's first pending cancel. */
export interface CancelChunk {
  readonly type: 'cancel_chunk';
  readonly wagerId: bigint;
  readonly bound: number;
}

export interface ChunkCanceled {
  readonly wagerId: bigint;
  readonly canceledCount: number;
  /** Whether the wager has no pending cancel left. */
  readonly isComplete: boolean;
}

export const needsOfCancelChunk = ({ wagerId: id }: CancelChunk): Needs => ({ ...NO_NEEDS, wagers: [{ id }] });

export const cancelChunk = (book: Book, { wagerId, bound }: CancelChunk): OperationResult<ChunkCanceled> => {
  const wager = book.wagers.get(wagerId);
  if (wager === undefined) return reject('wager-not-found');
  const [cancel, ...laterCancels] = wager.pendingCancels;
  if (cancel === undefined) return { answer: { wagerId, canceledCount: 0, isComplete: true }, commitment: null };
  const canceling: Bet[] = [];
  for (const bet of offersInOrder(book, { scope: { kind: 'canceling', cancel }, wagers: [wager], maximumOdds: null })) {
    canceling.push(bet);
    if (canceling.length === bound) break;
  }

  // Point of no return: from here on there are only changes.
  for (const bet of canceling) endOffer(book, bet, { ...CANCELED, reason: cancel.reason });
  if (canceling.length < bound) book.setPendingCancels(wager, laterCancels);
  const isComplete = wager.pendingCancels.length === 0;
  return { answer: { wagerId, canceledCount: canceling.length, isComplete }, commitment: null };
};
