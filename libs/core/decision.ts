import type { Book } from './book.js';
import { formatMicros, isBeyondLedger, LEDGER_BOUND_MICROS, magnitudeOf } from './money.js';
import { MoreOffers, type UserIdentifier } from './needs.js';
import type { User } from './records.js';
import { Rejection, reject } from './rejection.js';
import type { Table } from './table.js';

/** A user committed money (or received funding). The core judges the user's funds when the attempt ends. */
export interface Commitment {
  readonly user: User;
  /** The refusal when the user cannot afford it; null: never refused for lack of money. */
  readonly unfunded: 'offer-unfunded' | 'acceptance-unfunded' | 'withdrawal-unfunded' | null;
}

/** An operation that was not refused. The Book already holds its changes. */
export interface Decided<Answer> {
  readonly answer: Answer;
  readonly commitment: Commitment | null;
}

export type Decision<Answer> = Decided<Answer> | Rejection;

/** The operation was not executed and the Book is unchanged. */
export type Failure = Rejection | MoreOffers;

export const isFailure = (result: unknown): result is Failure =>
  result instanceof Rejection || result instanceof MoreOffers;

/** The API's fields are `<field>_id` and `<field>_reference`; refusal texts name them. */
export type UserField = 'user' | 'requesting_user' | 'accepting_user';

const isGiven = ({ id, reference }: UserIdentifier): boolean => id !== undefined || reference !== undefined;

const findUserId = (book: Book, identifier: UserIdentifier, field: UserField): bigint | Rejection => {
  if (!isGiven(identifier)) return reject('not-defined', `${field}_id`, `${field}_reference`);
  const id = book.userIdOf(identifier);
  if (id === undefined) return reject('user-not-found');
  return id === 'differ' ? reject('users-differ', field) : id;
};

/** The acting user, with its balance and exposure. */
export const findUser = (book: Book, identifier: UserIdentifier, field: UserField): User | Rejection => {
  const id = findUserId(book, identifier, field);
  return id instanceof Rejection ? id : book.user(id);
};

/** The user to whose offers an acceptance is restricted; its money is not loaded. Null: any user. */
export const findRequesterId = (book: Book, identifier: UserIdentifier | null): bigint | null | Rejection =>
  identifier === null || !isGiven(identifier) ? null : findUserId(book, identifier, 'requesting_user');

/*
 * The checks at the end of an attempt, when the Book holds all its changes: so a batch may cancel and replace an offer
 * in either order. Funds are checked only for users who committed money, so settling and correcting are never refused.
 */

/** Null: the user can afford its commitment. Nobody knows what a disputed user has, so it can afford none. */
export const judgeFunds = (book: Book, { user, unfunded }: Commitment): Rejection | null => {
  if (unfunded === null) return null;
  if (user.isDisputed) return reject('balance-disputed');
  if (user.allowNegativeBalance ?? book.account.allowNegativeBalance) return null;
  const before = book.users.before(user) ?? user;
  const isLower = effectiveBalanceOf(user) < effectiveBalanceOf(before);
  return isLower && effectiveBalanceOf(user) < 0n ? reject(unfunded) : null;
};

/**
 * Null: the attempt took no figure beyond the ledger's bound. Settling is never refused, so a figure may already be
 * beyond it; later operations may then bring it closer, but not further away.
 */
export const judgeBounds = (book: Book): Rejection | null => {
  const isBeyond =
    wentBeyond(book.users, ({ balance, exposure }) => [balance, exposure]) ||
    wentBeyond(book.positions, ({ win, loss, offered }) => [win, loss, offered]);
  return isBeyond ? reject('ledger-bound', formatMicros(LEDGER_BOUND_MICROS)) : null;
};

const effectiveBalanceOf = ({ balance, exposure }: User): bigint => balance - exposure;

const wentBeyond = <Key, Row extends object>(
  table: Table<Key, Row>,
  figuresOf: (row: Row) => readonly bigint[],
): boolean => {
  for (const row of table.touched()) {
    const figures = figuresOf(row);
    if (!figures.some(isBeyondLedger)) continue;
    const before = table.before(row);
    const figuresBefore = before === undefined ? [] : figuresOf(before);
    const isFurther = (figure: bigint, index: number) => magnitudeOf(figure) > magnitudeOf(figuresBefore[index] ?? 0n);
    if (figures.some((figure, index) => isBeyondLedger(figure) && isFurther(figure, index))) return true;
  }
  return false;
};
