import { z } from 'zod';
import { transactionSource, transactionType } from '../words.js';
import { decimal, id, moment, pageOf, text } from './fields.js';

const identity = {
  id: id('Its id.'),
  account_id: id('The account it belongs to.'),
  user_id: id('Whose balance moved.'),
};
const content = {
  reference: text('A name of its own, of the form `TX_<random>`.'),
  amount: decimal('Never negative: the type says which way it went.'),
  description: text('What it was for.'),
  transaction_type: transactionType,
  transaction_source: transactionSource,
  created_at: moment('When the balance moved.'),
};

const example = {
  id: 31,
  account_id: 7,
  user_id: 12,
  reference: 'TX_9f2c4b7a1d3e',
  amount: 100,
  description: 'Balance funded',
  transaction_type: 'credit',
  transaction_source: 'funding',
  created_at: '2026-01-15T18:35:00.000Z',
};

export const transaction = z
  .strictObject({
    ...identity,
    user_reference: text('The user, as the business calls it.'),
    ...content,
    bet_trail_id: id('The step of a bet that moved it; null: money in or out.').nullable(),
  })
  .meta({
    id: 'Transaction',
    description: 'One movement of one balance. A settled bet has two, one for each user.',
    examples: [{ ...example, user_reference: 'ann', bet_trail_id: null }],
  });

export const movement = z
  .strictObject({ ...identity, ...content })
  .meta({ id: 'Movement', description: 'Money in or out of one balance.', examples: [example] });

export const transactionPage = pageOf(transaction).meta({ id: 'TransactionPage' });
