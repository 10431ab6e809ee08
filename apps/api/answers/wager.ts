import { z } from 'zod';
import { outcome } from '../words.js';
import { count, decimal, id, moment, pageOf, text } from './fields.js';

const identity = {
  id: id('Its id.'),
  reference: text('What the business calls it; unique within the account.'),
  outcome,
  account_id: id('The account it belongs to.'),
};
const times = { created_at: moment('When it was first named.'), updated_at: moment('When its outcome changed last.') };
const settling = { settling_since: moment('Since when bets wait for the worker; null: none does.').nullable() };

export const wagerExample = {
  id: 3,
  reference: 'home-win',
  outcome: 'undecided',
  account_id: 7,
  created_at: '2026-01-15T18:36:00.000Z',
  updated_at: '2026-01-15T18:36:00.000Z',
};

export const wager = z
  .strictObject({ ...identity, ...times })
  .meta({ id: 'Wager', description: 'What bets are made on.', examples: [wagerExample] });

export const listedWager = z
  .strictObject({ ...identity, ...settling, ...times })
  .meta({ id: 'ListedWager', examples: [{ ...wagerExample, settling_since: null }] });

export const wagerPage = pageOf(listedWager).meta({ id: 'WagerPage' });

export const wagerWithSettlement = z
  .strictObject({
    ...identity,
    ...settling,
    ...times,
    settlement: z.strictObject({
      bets: count('The matched ones.'),
      settled: count('Those of them whose outcome is in the balances.'),
      remaining: count('What has still to move to where the outcome says, offers too.'),
      state: z.enum(['undecided', 'settling', 'settled']).meta({ description: 'How far it is as a whole.' }),
    }),
  })
  .meta({
    id: 'WagerWithSettlement',
    description: 'A wager, and how far its bets are settled.',
    examples: [
      { ...wagerExample, settling_since: null, settlement: { bets: 1, settled: 0, remaining: 0, state: 'undecided' } },
    ],
  });

export const position = z
  .strictObject({
    wager_id: id('The wager.'),
    wager_reference: text('The wager, as the business calls it.'),
    win: decimal("What the user's matched bets come to on a win."),
    loss: decimal("What the user's matched bets come to on a loss."),
    offered: decimal("The user's open offers together."),
    exposure: decimal('The worst that the wager can still cost the user.'),
  })
  .meta({
    id: 'Position',
    description: 'What a user has in a wager.',
    examples: [{ wager_id: 3, wager_reference: 'home-win', win: 15, loss: -10, offered: 0, exposure: 10 }],
  });

export const positionPage = pageOf(position, {
  total_exposure: decimal('Of all pages: the exposure of the user.').meta({ examples: [10] }),
}).meta({ id: 'PositionPage' });
