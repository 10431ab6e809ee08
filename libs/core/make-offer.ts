import type { Book } from './book.js';
import { isPastItsTime, movementOf } from './impact.js';
import { formatMicros, isBeyondLedger, LEDGER_BOUND_MICROS, type Micros, type OddsMicros } from './money.js';
import { type Needs, NO_NEEDS, type UserIdentifier } from './needs.js';
import type { Moment } from './records.js';
import { type OperationResult, Rejection, reject } from './rejection.js';
import { openOffer } from './step.js';
import { refuseBetting } from './wager-status.js';

export interface MakeOffer {
  readonly type: 'make_bet_offer';
  readonly wagerReference: string;
  readonly requestingUser: UserIdentifier;
  readonly requestingOdds: OddsMicros;
  readonly requestingAmount: Micros;
  /** The users in either list may accept; both empty: every user may. */
  readonly allowedAcceptorIds: readonly bigint[];
  readonly allowedAcceptorReferences: readonly string[];
  /** When the offer ends by itself: a time, or so many seconds from now. Null: never. */
  readonly ends: OfferEnd | null;
  /** Whether a suspension or the end of its wager cancels it. */
  readonly cancelOnSuspend: boolean;
  readonly meta: unknown;
}

export type OfferEnd = { readonly at: Moment } | { readonly inSeconds: number };

/** An offer must end within so many days. */
export const LONGEST_OFFER_DAYS = 400;
const SECOND = 1_000_000n;
const LONGEST_OFFER = BigInt(LONGEST_OFFER_DAYS * 86_400) * SECOND;

export interface MadeOffer {
  readonly betId: bigint;
  readonly wagerId: bigint;
  readonly wagerReference: string;
}

export const needsOfMakeOffer = (operation: MakeOffer): Needs => ({
  ...NO_NEEDS,
  users: [operation.requestingUser],
  namedUsers: [
    ...operation.allowedAcceptorIds.map((id) => ({ id })),
    ...operation.allowedAcceptorReferences.map((reference) => ({ reference })),
  ],
  wagers: [{ reference: operation.wagerReference }],
  newBets: 1,
  newWagers: 1,
});

export const makeOffer = (book: Book, operation: MakeOffer): OperationResult<MadeOffer> => {
  const { wagerReference, requestingOdds, requestingAmount, meta } = operation;
  const tooFine = book.refuseAmount(requestingAmount, 'requesting_amount');
  if (tooFine !== null) return tooFine;
  const user = book.findUser(operation.requestingUser, 'requesting_user');
  if (user instanceof Rejection) return user;
  const known = book.wagerNamed(wagerReference);
  const refused = known === undefined ? null : refuseBetting(book, known);
  if (refused !== null) return refused;
  const expiresAt = findEnd(book, operation.ends);
  if (expiresAt instanceof Rejection) return expiresAt;
  const allowedAcceptorIds = findAllowedAcceptors(book, operation);
  if (allowedAcceptorIds instanceof Rejection) return allowedAcceptorIds;
  if (isBeyondLedger(movementOf('win', { odds: requestingOdds, amount: requestingAmount }, book.unit))) {
    return reject('winnings-too-large', formatMicros(LEDGER_BOUND_MICROS));
  }

  // Point of no return: from here on there are only changes.
  const wager = known ?? book.createWager(wagerReference);
  const bet = openOffer(
    book,
    {
      wagerId: wager.id,
      requestingUserId: user.id,
      requestingOdds,
      requestingAmount,
      allowedAcceptorIds,
      expiresAt,
      cancelOnSuspend: operation.cancelOnSuspend,
    },
    { queuePlace: null, description: 'Offer made', meta },
  );
  return {
    answer: { betId: bet.id, wagerId: wager.id, wagerReference },
    commitment: { user, unfunded: 'offer-unfunded' },
  };
};

const findEnd = ({ now }: Book, ends: OfferEnd | null): Moment | null | Rejection => {
  if (ends === null) return null;
  if ('inSeconds' in ends) return now + BigInt(ends.inSeconds) * SECOND;
  if (isPastItsTime({ expiresAt: ends.at }, now)) return reject('malformed', 'expires_at must be in the future');
  if (ends.at <= now + LONGEST_OFFER) return ends.at;
  return reject('malformed', `expires_at must not be more than ${LONGEST_OFFER_DAYS} days ahead`);
};

const findAllowedAcceptors = (book: Book, operation: MakeOffer): readonly bigint[] | Rejection => {
  const found = new Set<bigint>();
  for (const id of operation.allowedAcceptorIds) {
    if (book.userIdOf({ id }) === undefined) return reject('allowed-acceptor-not-found');
    found.add(id);
  }
  for (const reference of operation.allowedAcceptorReferences) {
    const id = book.userIdOf({ reference });
    if (id === undefined || id === 'differ') return reject('allowed-acceptor-not-found');
    found.add(id);
  }
  return [...found];
};
