import { z } from 'zod';
import { offerStatus, outcome } from '../words.js';
import { decimal, id, moment, pageOf, text } from './fields.js';
import { transaction } from './transaction.js';
import { wager, wagerExample } from './wager.js';

const override = outcome
  .nullable()
  .meta({ description: 'An outcome of its own, which goes before that of its wager.' });
const effectiveOdds = decimal('The odds it was matched at; null: it was not.').nullable();
const effectiveAmount = decimal('The amount it was matched for; null: it was not.').nullable();

const trailExample = {
  id: 41,
  bet_id: 21,
  account_id: 7,
  wager_id: 3,
  offer_status: 'requesting',
  description: 'Offer made',
  outcome: 'undecided',
  override_outcome: null,
  requesting_odds: 2.5,
  requesting_amount: 10,
  accepting_odds: null,
  accepting_amount: null,
  effective_odds: null,
  effective_amount: null,
  created_at: '2026-01-15T18:36:00.000Z',
  transactions: [],
};

export const betTrail = z
  .strictObject({
    id: id('Its id.'),
    bet_id: id('The bet.'),
    account_id: id('The account it belongs to.'),
    wager_id: id('The wager.'),
    offer_status: offerStatus,
    description: text('What was done, and for a correction who did it and why.'),
    outcome,
    override_outcome: override,
    requesting_odds: decimal('The odds that were offered.'),
    requesting_amount: decimal('The stake that was offered.'),
    accepting_odds: decimal('The odds of the acceptance; null: not accepted.').nullable(),
    accepting_amount: decimal('The amount of the acceptance; null: not accepted.').nullable(),
    effective_odds: effectiveOdds,
    effective_amount: effectiveAmount,
    created_at: moment('When it was done.'),
    transactions: z.array(transaction).meta({
      description: 'What it moved; empty as well unless `include_bet_trails_transactions` asks for them.',
    }),
  })
  .meta({ id: 'BetTrail', description: 'One step in the life of a bet, as it was then.', examples: [trailExample] });

const offer = {
  id: id('Its id.'),
  account_id: id('The account it belongs to.'),
  offer_status: offerStatus,
  wager_id: id('The wager.'),
  wager_reference: text('The wager, as the business calls it.'),
  requesting_user_id: id('Who offered.'),
  requesting_user_reference: text('Who offered, as the business calls it.'),
  requesting_odds: decimal('The odds that were offered.'),
  requesting_amount: decimal('The stake of the requesting user.'),
};
const allowedAcceptors = (description: string) => z.array(id('A user.')).meta({ description });
const createdAt = moment('When it was offered.');

const offerExample = {
  id: 21,
  account_id: 7,
  offer_status: 'requesting',
  wager_id: 3,
  wager_reference: 'home-win',
  requesting_user_id: 12,
  requesting_user_reference: 'ann',
  requesting_odds: 2.5,
  requesting_amount: 10,
  created_at: '2026-01-15T18:36:00.000Z',
};

export const openBet = z
  .strictObject({
    ...offer,
    allowed_acceptor_ids: allowedAcceptors('Who may accept; empty: everybody.'),
    created_at: createdAt,
  })
  .meta({
    id: 'OpenBet',
    description: 'An offer that can be accepted.',
    examples: [{ ...offerExample, allowed_acceptor_ids: [] }],
  });

export const bet = z
  .strictObject({
    ...offer,
    accepting_user_id: id('Who accepted; null: nobody yet.').nullable(),
    accepting_user_reference: text('Who accepted, as the business calls it; null: nobody yet.').nullable(),
    allowed_acceptor_ids: allowedAcceptors('Who may accept; only on bets that not everybody may accept.').optional(),
    effective_odds: effectiveOdds,
    effective_amount: effectiveAmount,
    override_outcome: override,
    is_active: z.boolean().meta({ description: 'False: an admin has taken back all its effect.' }),
    created_at: createdAt,
    wager,
    bet_trails: z.array(betTrail).meta({ description: 'In the order of the steps; only when asked for.' }).optional(),
  })
  .meta({
    id: 'Bet',
    description: 'An offer, and what became of it.',
    examples: [
      {
        ...offerExample,
        offer_status: 'accepted',
        accepting_user_id: 13,
        accepting_user_reference: 'bob',
        effective_odds: 2.5,
        effective_amount: 10,
        override_outcome: null,
        is_active: true,
        wager: wagerExample,
      },
    ],
  });

export const betPage = pageOf(bet).meta({ id: 'BetPage' });

export const openBetPage = pageOf(openBet, {
  total_requesting_amount: decimal('The stakes of all pages together.').meta({ examples: [10] }),
}).meta({ id: 'OpenBetPage' });
