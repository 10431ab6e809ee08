import type { OperationOf } from '#core/operation.js';
import type { Decided, Draft } from './draft.js';
import { findUser } from './find-user.js';
import { pictureOf } from './picture.js';
import { Refusal, unfunded } from './refusals.js';

export const pay = ({ facts, entries }: Draft, operation: OperationOf<'fund_user' | 'withdraw'>): Decided => {
  const { type, amount, description } = operation;
  const user = findUser(facts.users, operation.user, 'user');
  if (user instanceof Refusal) return user;
  const isFunding = type === 'fund_user';
  const payment = { userId: user.id, amount: isFunding ? amount : -amount };
  facts.payments.push(payment);
  entries.push({ kind: 'payment', ...payment });
  const balanceAfter = pictureOf(facts).users.find(({ id }) => id === user.id)?.balance;
  const words = isFunding
    ? { transactionType: 'credit', transactionSource: 'funding' }
    : { transactionType: 'debit', transactionSource: 'withdrawal' };
  return {
    answer: { userId: user.id, amount, description, ...words, balanceAfter, trail: null },
    commitment: { userId: user.id, refusal: isFunding ? null : unfunded('withdrawal') },
  };
};
