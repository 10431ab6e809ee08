import type { Book } from './book.js';
import type { Micros } from './money.js';
import { type Needs, NO_NEEDS, type UserIdentifier } from './needs.js';
import type { Transaction } from './records.js';
import { type OperationResult, Rejection, reject } from './rejection.js';

/** Money into the ledger or out of it, on one user's balance. */
export interface MoveMoney<Type extends 'fund_user' | 'withdraw'> {
  readonly type: Type;
  readonly user: UserIdentifier;
  readonly amount: Micros;
  readonly description: string;
  /** What the business calls it: no other movement of the account has it. */
  readonly ownReference?: string | undefined;
  /** Free data of the business. The core never reads it. */
  readonly meta?: unknown;
}

type Movement = MoveMoney<'fund_user'> | MoveMoney<'withdraw'>;

const directions = {
  fund_user: { sign: 1n, transactionType: 'credit', transactionSource: 'funding', unfunded: null },
  withdraw: { sign: -1n, transactionType: 'debit', transactionSource: 'withdrawal', unfunded: 'withdrawal-unfunded' },
} as const;

export const needsOfMoveMoney = ({ user, ownReference }: Movement): Needs => ({
  ...NO_NEEDS,
  users: [user],
  ownReferences: ownReference === undefined ? [] : [ownReference],
});

export const moveMoney = (
  book: Book,
  { type, user: identifier, amount, description, ownReference, meta }: Movement,
): OperationResult<Transaction> => {
  const tooFine = book.refuseAmount(amount, 'amount');
  if (tooFine !== null) return tooFine;
  const user = book.findUser(identifier, 'user');
  if (user instanceof Rejection) return user;
  if (ownReference !== undefined && book.isReferenceTaken(ownReference)) return reject('own-reference-taken');
  const { sign, transactionType, transactionSource, unfunded } = directions[type];

  // Point of no return: from here on there are only changes. The end of the attempt judges the user's funds.
  book.addToBalance(user, sign * amount);
  if (ownReference !== undefined) book.takeReference(ownReference);
  const transaction: Transaction = {
    userId: user.id,
    amount,
    description,
    transactionType,
    transactionSource,
    balanceAfter: user.balance,
    trail: null,
    ...(ownReference !== undefined && { ownReference }),
    ...(meta != null && { meta }),
  };
  book.journal.addTransaction(transaction);
  return { answer: transaction, commitment: { user, unfunded } };
};
