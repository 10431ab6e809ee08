import { z } from 'zod';
import { type Micros, numberFromMicros, type OddsMicros } from '#core/money.js';
import * as fields from '#http/fields.js';
import type { BetTrail, BetWithTrails, ShownBet } from '#reads/bet.js';
import { decimal, id, moment, text } from '../../fields/answers.js';
import { offerStatus, outcome } from '../../fields/enums.js';
import { presentTransaction, transaction } from '../transactions/transaction.js';
import { wager, wagerExample } from '../wagers/wager.js';
import { shownMeta } from './offer.js';

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

const betTrail = z
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

/** Every bet shows these fields of its offer, open or not. */
export const offerFields = {
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
export const allowedAcceptors = (description: string) => z.array(id('A user.')).meta({ description });
export const offeredAt = moment('When it was offered.');
export const expiresAt = moment(
  'From then on no acceptance takes the offer, and it expires within seconds; null: it ends at no time.',
).nullable();

export const offerExample = {
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
  expires_at: null,
};

export const bet = z
  .strictObject({
    ...offerFields,
    accepting_user_id: id('Who accepted; null: no user yet.').nullable(),
    accepting_user_reference: text('Who accepted, as the business calls it; null: no user yet.').nullable(),
    allowed_acceptor_ids: allowedAcceptors('Who may accept; only on bets with such a list.').optional(),
    effective_odds: effectiveOdds,
    effective_amount: effectiveAmount,
    override_outcome: override,
    is_active: z.boolean().meta({ description: 'False: an admin has taken back all its effect.' }),
    created_at: offeredAt,
    expires_at: expiresAt,
    accepted_at: moment('When it was accepted; null: not yet.').nullable(),
    meta: shownMeta,
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
        accepted_at: '2026-01-15T18:38:00.000Z',
        wager: wagerExample,
      },
    ],
  });

export const trailFields = {
  include_bet_trails: fields.booleanText.default(false).meta({ description: 'With `bet_trails`.' }),
  include_bet_trails_transactions: fields.booleanText.default(false).meta({
    description: 'With `bet_trails`, and with the transactions in them.',
  }),
};

/** Transactions stand inside trails: asking for transactions asks for trails. */
export function trailsWanted(query: {
  readonly include_bet_trails: boolean;
  readonly include_bet_trails_transactions: boolean;
}) {
  if (query.include_bet_trails_transactions) return 'with transactions';
  return query.include_bet_trails ? 'trails' : 'none';
}

const numberOrNull = (value: Micros | OddsMicros | null) => (value === null ? null : numberFromMicros(value));
const idOrNull = (id: bigint | null) => (id === null ? null : Number(id));

/** What the presented bets begin with. They are assigned the rest (docs/decisions/0053-what-v8-likes.md). */
export function presentOffer(bet: ShownBet) {
  return {
    id: Number(bet.id),
    account_id: Number(bet.accountId),
    offer_status: bet.offerStatus,
    wager_id: Number(bet.wagerId),
    wager_reference: bet.wagerReference,
    requesting_user_id: Number(bet.requestingUserId),
    requesting_user_reference: bet.requestingUserReference,
    requesting_odds: numberFromMicros(bet.requestingOdds),
    requesting_amount: numberFromMicros(bet.requestingAmount),
  };
}

/** Most bets have none. */
export const metaFieldOf = ({ meta }: ShownBet) => (meta === null ? {} : { meta });

function presentTrail(trail: BetTrail): z.output<typeof betTrail> {
  return {
    id: Number(trail.id),
    bet_id: Number(trail.betId),
    account_id: Number(trail.accountId),
    wager_id: Number(trail.wagerId),
    offer_status: trail.offerStatus,
    description: trail.description,
    outcome: trail.outcome,
    override_outcome: trail.overrideOutcome,
    requesting_odds: numberFromMicros(trail.requestingOdds),
    requesting_amount: numberFromMicros(trail.requestingAmount),
    accepting_odds: numberOrNull(trail.acceptingOdds),
    accepting_amount: numberOrNull(trail.acceptingAmount),
    effective_odds: numberOrNull(trail.effectiveOdds),
    effective_amount: numberOrNull(trail.effectiveAmount),
    created_at: trail.createdAt,
    transactions: trail.transactions.map(presentTransaction),
  };
}

export function presentBet({ bet: found, trails }: BetWithTrails): z.output<typeof bet> {
  return Object.assign(presentOffer(found), {
    accepting_user_id: idOrNull(found.acceptingUserId),
    accepting_user_reference: found.acceptingUserReference,
    ...(found.allowedAcceptorIds.length === 0 ? {} : { allowed_acceptor_ids: found.allowedAcceptorIds.map(Number) }),
    effective_odds: numberOrNull(found.effectiveOdds),
    effective_amount: numberOrNull(found.effectiveAmount),
    override_outcome: found.overrideOutcome,
    is_active: found.isActive,
    created_at: found.createdAt,
    expires_at: found.expiresAt,
    accepted_at: found.acceptedAt,
    ...metaFieldOf(found),
    wager: {
      id: Number(found.wagerId),
      reference: found.wagerReference,
      outcome: found.wagerOutcome,
      account_id: Number(found.accountId),
      created_at: found.wagerCreatedAt,
      updated_at: found.wagerUpdatedAt,
    },
    ...(trails === undefined ? {} : { bet_trails: trails.map(presentTrail) }),
  });
}
