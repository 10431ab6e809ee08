import type { Book } from '../book.js';
import type { Decision } from '../decision.js';
import { findUser } from '../identify.js';
import type { Micros } from '../money.js';
import { type Needs, needs, type UserIdentifier } from '../needs.js';
import type { Transaction } from '../records.js';
import { Rejection } from '../rejection.js';

export interface Withdraw {
  readonly type: 'withdraw';
  readonly user: UserIdentifier;
  readonly amount: Micros;
  readonly description: string;
}

export const needsOfWithdraw = ({ user }: Withdraw): Needs => needs({ users: [user] });

export const withdraw = (book: Book, operation: Withdraw): Decision<Transaction> => {
  const user = findUser(book, operation.user, 'user');
  if (user instanceof Rejection) return user;

  // Point of no return: from here on there are only changes. Whether the user has the money is judged when they end.
  const { amount, description } = operation;
  book.addToBalance(user, -amount);
  const transaction: Transaction = {
    userId: user.id,
    amount,
    description,
    transactionType: 'debit',
    transactionSource: 'withdrawal',
    trail: null,
  };
  book.addTransaction(transaction);
  return { answer: transaction, commitment: { user, unfunded: 'withdrawal-unfunded' } };
};
