import { z } from 'zod';
import { meta, preferences } from '../user-fields.js';
import { decimal, frame, id, moment, text } from './fields.js';

const reference = text('What the business calls the user; unique within the account.');
const name = text('For people to read.');
const nullablePreferences = preferences.nullable();
const nullableMeta = meta.nullable();

const createdExample = { id: 12, reference: 'ann', created_at: '2026-01-15T18:33:00.000Z' };
const shared = { name: 'Ann', preferences: { allow_negative_balance: false }, meta: { favourite_team: 'Rovers' } };

export const user = z
  .strictObject({
    id: id('Its id.'),
    account_id: id('The account it belongs to.'),
    reference,
    name,
    role: text('`user`.'),
    preferences: nullablePreferences,
    meta: nullableMeta,
    balance: decimal('The money it has.'),
    exposure: decimal('The worst that its open and matched bets can still cost.'),
    created_at: moment('When it was created.'),
  })
  .meta({
    id: 'User',
    description: 'A bettor. What it can stake is `balance - exposure`.',
    examples: [{ ...createdExample, account_id: 7, ...shared, role: 'user', balance: 100, exposure: 10 }],
  });

export const createdUser = z
  .strictObject({
    id: id('Its id.'),
    reference: text('As given, or one that was made up for it.'),
    created_at: moment('Now.'),
  })
  .meta({ id: 'CreatedUser', examples: [createdExample] });

export const changedUser = z
  .strictObject({
    id: id('Its id.'),
    reference,
    name,
    preferences: nullablePreferences,
    meta: nullableMeta,
    updated_at: moment('Now.'),
  })
  .meta({
    id: 'ChangedUser',
    examples: [{ id: 12, reference: 'ann', ...shared, updated_at: '2026-01-15T18:34:00.000Z' }],
  });

/** The one list with a frame of its own. */
export const userPage = z
  .strictObject({
    items: z.array(user),
    page: frame.page,
    per_page: frame.per_page,
    total: frame.total,
    total_pages: frame.last_page,
  })
  .meta({ id: 'UserPage' });
