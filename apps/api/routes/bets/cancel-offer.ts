import { z } from 'zod';
import type { CanceledOffers, CancelOffer } from '#core/cancel-offer.js';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { count, messageOnly, text } from '../../fields/answers.js';
import { neededUser, tooManyDecimals } from '../../fields/ledger-operation.js';
import {
  OFFERS_OF_A_REQUEST,
  offerIdentity,
  offerIdentityExample,
  requestingUserId,
  requestingUserReference,
  SHOWN_BOUND,
} from './offer.js';

const MAX_WAGERS_OF_A_CANCEL = 100;
const BATCH_MINIMUM_FILTER_ODDS = 1.01;

const filterOdds = (minimum: number, description: string) =>
  fields
    .odds(minimum)
    .nullish()
    .meta({ description: `${description} At most 6 decimals.` });

const cancelOffer = (id: string, minimumFilterOdds: number) =>
  z
    .strictObject({
      requesting_user_id: requestingUserId,
      requesting_user_reference: requestingUserReference,
      wager_references: z.array(fields.reference).max(MAX_WAGERS_OF_A_CANCEL).nullish().meta({
        description: 'Offers on these wagers. Needed unless `bet_id` is given.',
      }),
      bet_id: fields.idNumber.nullish().meta({ description: 'Just this offer, at any odds.' }),
      cancel_amount: fields.amount().nullish().meta({
        description:
          'The oldest offers first, until this amount is used up. Needed unless `cancel_all` is true. At most 6 decimals.',
      }),
      cancel_all: z.boolean().nullish().meta({
        description: 'All that match; goes before `cancel_amount`.',
        default: false,
      }),
      minimum_odds: filterOdds(minimumFilterOdds, 'Offers below are left.'),
      maximum_odds: filterOdds(minimumFilterOdds, 'Offers above are left.'),
    })
    .meta({
      id,
      examples: [{ requesting_user_reference: 'ann', wager_references: ['home-win'], cancel_all: true }],
    });

const cancelOfferBody = cancelOffer('CancelOffer', 0);
export const batchCancelOfferBody = cancelOffer('CancelOfferInBatch', BATCH_MINIMUM_FILTER_ODDS);

export function cancelOfferOf(body: z.output<typeof cancelOfferBody>, bound: number): CancelOffer {
  return {
    type: 'cancel_bet_offer',
    requestingUser: fields.userIdentifier(body.requesting_user_id, body.requesting_user_reference),
    wagerReferences: body.wager_references ?? [],
    betId: fields.bigintOrNull(body.bet_id),
    cancelAmount: body.cancel_amount ?? null,
    cancelAll: body.cancel_all ?? false,
    minimumOdds: body.minimum_odds ?? null,
    maximumOdds: body.maximum_odds ?? null,
    bound,
  };
}

const canceledOffer = z
  .strictObject({
    ...offerIdentity,
    note: text('Names the amount that remains, when the bet is the rest of one that was canceled in part.').optional(),
  })
  .meta({ id: 'CanceledOffer', examples: [offerIdentityExample] });

/** The fields of an answer beside its message. */
export const canceledOffers = {
  data: z.array(canceledOffer),
  remaining: count(
    'How many more offers it leaves to the worker, which cancels them within a minute; present only when there are some. They are no longer listed as open, and no request can accept them. 100,000 means at least so many for a wager.',
  )
    .optional()
    .meta({ examples: [4200] }),
};

export function presentCanceledOffers({ offers, remainingCount }: CanceledOffers) {
  const data = offers.map(({ betId, wagerReference, wagerId, note }) => ({
    bet_id: Number(betId),
    wager_reference: wagerReference,
    wager_id: Number(wagerId),
    ...(note === null ? {} : { note }),
  }));
  return remainingCount === 0 ? { data } : { data, remaining: remainingCount };
}

export const cancelOfferRefusals = [
  ...neededUser('requesting_user'),
  tooManyDecimals('cancel_amount'),
  reject('not-defined', 'wager_references', 'bet_id'),
  reject('not-defined', 'cancel_amount', 'cancel_all'),
  reject('bet-not-found'),
  reject('no-cancelable-bets'),
  reject('sandbox-full'),
];

export const betCancelOffer = endpoint({
  method: 'post',
  path: '/bets/cancel-offer',
  tag: 'Bets',
  summary: 'Cancel open offers, wholly or for an amount',
  description: `Canceled in part, an offer leaves a bet of its own for the rest, which keeps its place in the queue. One request cancels at most ${SHOWN_BOUND} offers itself, the oldest first, and leaves the others to the worker, which cancels them soon after; one by amount cancels at most ${(10 * OFFERS_OF_A_REQUEST).toLocaleString('en')} in all. From the answer on, no request can accept them.`,
  access: 'account',
  status: 201,
  body: cancelOfferBody,
  answer: messageOnly('Bet offer canceled').extend(canceledOffers),
  refusals: cancelOfferRefusals,
  handle: ({ body, caller, call }, { ledger }) =>
    ledger.execute(caller.account.accountId, cancelOfferOf(body, OFFERS_OF_A_REQUEST), {
      call,
      present: (canceled) => ({ message: 'Bet offer canceled', ...presentCanceledOffers(canceled) }),
    }),
});
