import { z } from 'zod';
import type { Bettor } from '#accounts/users/user.js';
import { numberFromMicros } from '#core/money.js';
import * as fields from '#http/fields.js';
import { decimal, id, moment, text } from '../../fields/answers.js';
import { balanceState } from '../../fields/enums.js';
import { preferences } from '../../fields/preferences.js';
import { textMeta } from '../../fields/text-meta.js';

export const userMeta = textMeta().meta({
  id: 'UserMeta',
  description: "Texts of the business's own; users can be looked for by them.",
  examples: [{ favourite_team: 'Rovers' }],
});

export const userNameField = fields.line().meta({ description: 'For people to read.' });

export const userIdPath = z.object({
  userId: fields.idText.meta({ description: 'The id of the user.', examples: [12] }),
});
export const userReferencePath = z.object({
  reference: fields.reference.meta({ description: 'The user, as the business calls it.', examples: ['ann'] }),
});

export const userNames = {
  reference: text('What the business calls the user; unique within the account.'),
  name: text('For people to read.'),
};

export const createdUserExample = { id: 12, reference: 'ann', created_at: '2026-01-15T18:33:00.000Z' };
export const userExample = {
  name: 'Ann',
  preferences: { allow_negative_balance: false },
  meta: { favourite_team: 'Rovers' },
};

export const user = z
  .strictObject({
    id: id('Its id.'),
    account_id: id('The account it belongs to.'),
    ...userNames,
    role: text('`user`.'),
    preferences: preferences.nullable(),
    meta: userMeta.nullable(),
    balance: decimal('The money it has.'),
    exposure: decimal('The worst that its open and matched bets can still cost.'),
    balance_state: balanceState,
    created_at: moment('When it was created.'),
  })
  .meta({
    id: 'User',
    description: 'A bettor. It can stake `balance - exposure`.',
    examples: [
      {
        ...createdUserExample,
        account_id: 7,
        ...userExample,
        role: 'user',
        balance: 100,
        exposure: 10,
        balance_state: 'agreed',
      },
    ],
  });

export function presentUser(found: Bettor): z.output<typeof user> {
  return {
    id: Number(found.id),
    account_id: Number(found.accountId),
    reference: found.reference,
    name: found.name,
    role: found.role,
    preferences: found.preferences,
    meta: found.meta,
    balance: numberFromMicros(found.balance),
    exposure: numberFromMicros(found.exposure),
    balance_state: found.isDisputed ? 'disputed' : 'agreed',
    created_at: found.createdAt,
  };
}
