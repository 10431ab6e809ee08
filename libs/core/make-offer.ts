import type { Book } from './book.js';
import { isDecided, movementOf } from './impact.js';
import { formatMicros, isBeyondLedger, LEDGER_BOUND_MICROS, type Micros, type OddsMicros } from './money.js';
import { type Needs, NO_NEEDS, type UserIdentifier } from './needs.js';
import { type OperationResult, Rejection, reject } from './rejection.js';
import { openOffer } from './step.js';

export interface MakeOffer {
  readonly type: 'make_bet_offer';
  readonly wagerReference: string;
  readonly requestingUser: UserIdentifier;
  readonly requestingOdds: OddsMicros;
  readonly requestingAmount: Micros;
  /** The users in either list may accept; both empty: every user may. */
  readonly allowedAcceptorIds: readonly bigint[];
  readonly allowedAcceptorReferences: readonly string[];
  readonly meta: unknown;
}

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
  if (known !== undefined && isDecided(known.outcome)) return reject('wager-decided');
  const allowedAcceptorIds = findAllowedAcceptors(book, operation);
  if (allowedAcceptorIds instanceof Rejection) return allowedAcceptorIds;
  if (isBeyondLedger(movementOf('win', { odds: requestingOdds, amount: requestingAmount }, book.unit))) {
    return reject('winnings-too-large', formatMicros(LEDGER_BOUND_MICROS));
  }

  // Point of no return: from here on there are only changes.
  const wager = known ?? book.createWager(wagerReference);
  const bet = openOffer(
    book,
    { wagerId: wager.id, requestingUserId: user.id, requestingOdds, requestingAmount, allowedAcceptorIds },
    { queuePlace: null, description: 'Offer made', meta },
  );
  return {
    answer: { betId: bet.id, wagerId: wager.id, wagerReference },
    commitment: { user, unfunded: 'offer-unfunded' },
  };
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
