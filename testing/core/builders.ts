import { Book } from '#core/book.js';
import { newWager } from '#core/change-wager.js';
import { asMicros, type Micros, ZERO } from '#core/money.js';
import { type AnswerOf, execute, isFailure, type Operation, type OperationOf } from '#core/operation.js';
import type { AdminAction, Outcome, User, Wager } from '#core/records.js';
import { Rejection } from '#core/rejection.js';
import { micros, oddsMicros as odds } from '#tools/shared/amounts.js';

type MakeOffer = OperationOf<'make_bet_offer'>;
type AcceptOffer = OperationOf<'accept_bet_offer'>;
type CancelOffer = OperationOf<'cancel_bet_offer'>;

/* Default values for the parts that a test is not about. Users are named u1, u2, ..., wagers by their reference. */

export { micros, odds };

export const counter = (from = 1n) => {
  let next = from - 1n;
  return () => {
    next += 1n;
    return next;
  };
};

/** The time of each Book that a test does not give another one. */
export const NOW = 1_700_000_000_000_000n;

export const emptyBook = (allowNegativeBalance = false, decimals: number | null = null, now = NOW): Book =>
  new Book({
    account: { id: 1n, allowNegativeBalance, decimals },
    now,
    nextBetId: counter(101n),
    nextWagerId: counter(11n),
  });

export const userRecord = (number: number, facts: Partial<User> = {}): User => ({
  id: BigInt(number),
  reference: `u${number}`,
  allowNegativeBalance: null,
  balance: ZERO,
  exposure: ZERO,
  isDisputed: false,
  ...facts,
});

export const wagerRecord = (id: bigint, reference: string, outcome: Outcome = 'undecided'): Wager => ({
  ...newWager({ now: NOW }, { id, reference }),
  outcome,
});

/** A Book with users u1, u2, u3, ... of these balances. */
export const bookWith = (...balances: number[]): Book => {
  const book = emptyBook();
  balances.forEach((balance, index) => {
    book.loadUser(userRecord(index + 1, { balance: micros(balance) }));
  });
  return book;
};

export const admin: AdminAction = { adminId: 9n, adminEmail: 'ops@example.com', description: null };

/** u1 offers 100 at odds 3 on wager `w`. */
export const offer = (some: Partial<MakeOffer> = {}): MakeOffer => ({
  type: 'make_bet_offer',
  wagerReference: 'w',
  requestingUser: { id: 1n },
  requestingOdds: odds(3),
  requestingAmount: micros(100),
  allowedAcceptorIds: [],
  allowedAcceptorReferences: [],
  ends: null,
  cancelOnSuspend: false,
  meta: null,
  ...some,
});

/** u2 accepts 100 at odds 3 or below on wager `w`. */
export const acceptance = (some: Partial<AcceptOffer> = {}): AcceptOffer => ({
  type: 'accept_bet_offer',
  wagerReference: 'w',
  betId: null,
  acceptingUser: { id: 2n },
  requestingUser: null,
  maximumOdds: odds(3),
  acceptingAmount: micros(100),
  bound: 1_000,
  ...some,
});

/** u1 cancels all that it offers on wager `w`. */
export const cancellation = (some: Partial<CancelOffer> = {}): CancelOffer => ({
  type: 'cancel_bet_offer',
  requestingUser: { id: 1n },
  wagerReferences: ['w'],
  betId: null,
  cancelAmount: null,
  cancelAll: true,
  minimumOdds: null,
  maximumOdds: null,
  bound: 1_000,
  ...some,
});

export const decision = (outcome: Outcome) =>
  ({ type: 'update_wager_outcome', reference: 'w', outcome, bound: 500 }) as const;

/** Executes an operation that must succeed, and returns its answer. */
export const done = <Some extends Operation>(book: Book, operation: Some): AnswerOf<Some['type']> => {
  const result = execute(book, operation);
  if (result instanceof Rejection) throw new Error(`refused: ${result.text}`);
  if (isFailure(result)) throw new Error('wants more offers');
  return result;
};

/** The user's balance and exposure. */
export const moneyOf = (book: Book, userNumber: number): [Micros, Micros] => {
  const user = book.user(BigInt(userNumber));
  return [user.balance, user.exposure];
};

export const amounts = (...values: number[]): Micros[] => values.map((value) => asMicros(micros(value)));
