import { z } from 'zod';
import { decimal, id, text } from './fields.js';

// What became of an operation on offers.

const named = {
  bet_id: id('The bet.'),
  wager_reference: text('The wager, as the business calls it.'),
  wager_id: id('The wager.'),
};
const example = { bet_id: 21, wager_reference: 'home-win', wager_id: 3 };

export const madeOffer = z.strictObject(named).meta({ id: 'MadeOffer', examples: [example] });

export const acceptedOffer = z
  .strictObject({
    ...named,
    requesting_user_reference: text('Who offered, as the business calls it.'),
    requesting_user_id: id('Who offered.'),
    accepted_amount: decimal("What was taken of it, in the requesting user's stake."),
    accepted_odds: decimal('The odds of the offer.'),
  })
  .meta({
    id: 'AcceptedOffer',
    description: 'A match. What was not taken of the offer stays open, as a bet of its own.',
    examples: [
      {
        ...example,
        requesting_user_reference: 'ann',
        requesting_user_id: 12,
        accepted_amount: 10,
        accepted_odds: 2.5,
      },
    ],
  });

export const canceledOffer = z
  .strictObject({
    ...named,
    note: text('Names the amount that remains, when the bet is the rest of one that was canceled in part.').optional(),
  })
  .meta({ id: 'CanceledOffer', examples: [example] });

const resultOf = <Type extends string, Content extends z.ZodRawShape>(type: Type, content: Content) =>
  z.strictObject({
    operation_type: z.literal(type),
    operation_id: text('As given.').meta({ examples: ['op-1'] }),
    success: z.literal(true),
    ...content,
  });
const message = text('As the single endpoint answers.');

/** Each holds what the single endpoint answers with: its `data`, or where it has none its `message`. */
export const batchResult = z.discriminatedUnion('operation_type', [
  resultOf('make_bet_offer', { data: madeOffer }).meta({ id: 'MakeBetOfferResult' }),
  resultOf('accept_bet_offer', { data: z.array(acceptedOffer) }).meta({ id: 'AcceptBetOfferResult' }),
  resultOf('cancel_bet_offer', { data: z.array(canceledOffer) }).meta({ id: 'CancelBetOfferResult' }),
  resultOf('update_wager_outcome', { message: message.meta({ examples: ['Wager outcome updated'] }) }).meta({
    id: 'UpdateWagerOutcomeResult',
  }),
  resultOf('override_bet_outcome', { message: message.meta({ examples: ['Bet outcome overridden'] }) }).meta({
    id: 'OverrideBetOutcomeResult',
  }),
]);
