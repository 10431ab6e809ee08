import type { Book } from './book.js';
import type { Commitment } from './decision.js';
import { formatMicros, isBeyondLedger, LEDGER_BOUND_MICROS, magnitudeOf } from './money.js';
import type { User } from './records.js';
import { type Rejection, reject } from './rejection.js';
import type { Table } from './table.js';

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
