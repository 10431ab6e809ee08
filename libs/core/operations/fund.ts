import type { Book } from '../book.js';
import type { Decision } from '../decision.js';
import { findUser } from '../identify.js';
import type { Micros } from '../money.js';
import { type Needs, needs, type UserIdentifier } from '../needs.js';
import type { Transaction } from '../records.js';
import { Rejection } from '../rejection.js';

export interface Fund {
  readonly type: 'fund_user';
  readonly user: UserIdentifier;
  readonly amount: Micros;
  readonly description: string;
}

export const needsOfFund = ({ user }: Fund): Needs => needs({ users: [user] });

export const fund = (book: Book, operation: Fund): Decision<Transaction> => {
  const user = findUser(book, operation.user, 'user');
  if (user instanceof Rejection) return user;

  // Point of no return: from here on there are only changes.
  const { amount, description } = operation;
  book.addToBalance(user, amount);
  const transaction: Transaction = {
    userId: user.id,
    amount,
    description,
    transactionType: 'credit',
    transactionSource: 'funding',
    trail: null,
  };
  book.addTransaction(transaction);
  return { answer: transaction, commitment: { user, unfunded: null } };
};
