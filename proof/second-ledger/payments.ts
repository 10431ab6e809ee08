import type { OperationOf } from '#core/operation.js';
import type { Decided, Draft } from './draft.js';
import { findUser } from './find-user.js';
import { pictureOf } from './picture.js';
import { Refusal, referenceTaken, tooFine, unfunded } from './refusals.js';

export const pay = ({ facts, entries }: Draft, operation: OperationOf<'fund_user' | 'withdraw'>): Decided => {
  const { type, amount, description, ownReference } = operation;
  const fine = tooFine(facts, 'amount', amount);
  if (fine !== null) return fine;
  const user = findUser(facts.users, operation.user, 'user');
  if (user instanceof Refusal) return user;
  if (ownReference !== undefined && facts.payments.some((payment) => payment.ownReference === ownReference)) {
    return referenceTaken();
  }
  const isFunding = type === 'fund_user';
  const payment = { userId: user.id, amount: isFunding ? amount : -amount };
  facts.payments.push({ ...payment, ownReference });
  entries.push({ kind: 'payment', ...payment });
  const balanceAfter = pictureOf(facts).users.find(({ id }) => id === user.id)?.balance;
  const words = isFunding
    ? { transactionType: 'credit', transactionSource: 'funding' }
    : { transactionType: 'debit', transactionSource: 'withdrawal' };
  const name = ownReference === undefined ? {} : { ownReference };
  return {
    answer: { userId: user.id, amount, description, ...words, balanceAfter, trail: null, ...name },
    commitment: { userId: user.id, refusal: isFunding ? null : unfunded('withdrawal') },
  };
};
