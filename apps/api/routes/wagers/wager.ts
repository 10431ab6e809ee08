import { z } from 'zod';
import * as fields from '#http/fields.js';
import type { ShownWager } from '#reads/wager.js';
import { id, moment, text } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';

export const wagerPath = z.object({
  reference: fields.reference.meta({ description: 'The wager, as the business calls it.', examples: ['home-win'] }),
});

export const wagerIdentity = {
  id: id('Its id.'),
  reference: text('What the business calls it; unique within the account.'),
  outcome,
  account_id: id('The account it belongs to.'),
};
export const wagerTimes = {
  created_at: moment('When it was first named.'),
  updated_at: moment('When its outcome changed last.'),
};
export const settling = { settling_since: moment('Since when bets wait for the worker; null: none does.').nullable() };

export const wagerExample = {
  id: 3,
  reference: 'home-win',
  outcome: 'undecided',
  account_id: 7,
  created_at: '2026-01-15T18:36:00.000Z',
  updated_at: '2026-01-15T18:36:00.000Z',
};

export const wager = z
  .strictObject({ ...wagerIdentity, ...wagerTimes })
  .meta({ id: 'Wager', description: 'What bets are made on.', examples: [wagerExample] });

export const listedWager = z
  .strictObject({ ...wagerIdentity, ...settling, ...wagerTimes })
  .meta({ id: 'ListedWager', examples: [{ ...wagerExample, settling_since: null }] });

export function presentWager(found: ShownWager): z.output<typeof listedWager> {
  return {
    id: Number(found.id),
    reference: found.reference,
    outcome: found.outcome,
    account_id: Number(found.accountId),
    settling_since: found.settlingSince,
    created_at: found.createdAt,
    updated_at: found.updatedAt,
  };
}
