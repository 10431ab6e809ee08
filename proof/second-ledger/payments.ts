import type { OperationOf } from '#core/operation.js';
import type { Decided, Draft } from './draft.js';
import { findUser } from './find-user.js';
import { Refusal, unfunded } from './refusals.js';

export const fund = (draft: Draft, { user: name, amount, description }: OperationOf<'fund_user'>): Decided => {
  const user = findUser(draft.facts.users, name, 'user');
  if (user instanceof Refusal) return user;
  pay(draft, user.id, amount);
  const words = { description, transactionType: 'credit', transactionSource: 'funding' };
  return { answer: { userId: user.id, amount, ...words, trail: null }, commitment: { userId: user.id, refusal: null } };
};

export const withdraw = (draft: Draft, { user: name, amount, description }: OperationOf<'withdraw'>): Decided => {
  const user = findUser(draft.facts.users, name, 'user');
  if (user instanceof Refusal) return user;
  pay(draft, user.id, -amount);
  const words = { description, transactionType: 'debit', transactionSource: 'withdrawal' };
  return {
    answer: { userId: user.id, amount, ...words, trail: null },
    commitment: { userId: user.id, refusal: unfunded('withdrawal') },
  };
};

const pay = ({ facts, entries }: Draft, userId: bigint, amount: bigint): void => {
  facts.payments.push({ userId, amount });
  entries.push({ kind: 'payment', userId, amount });
};
