import { z } from 'zod';
import type { AcceptedOffer, AcceptOffer } from '#core/accept-offer.js';
import { numberFromMicros } from '#core/money.js';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { dataWith, decimal, id, text } from '../../fields/answers.js';
import {
  balanceDisputed,
  beyondLedger,
  namedUser,
  neededUser,
  noBetting,
  tooManyDecimals,
  userById,
  userByReference,
} from '../../fields/ledger-operation.js';
import { acceptanceMeta, OFFERS_OF_A_REQUEST, offerIdentity, offerIdentityExample, SHOWN_BOUND } from './offer.js';

export const acceptOfferBody = z
  .strictObject({
    wager_reference: fields.reference.nullish().meta({
      description: 'Offers of this wager are taken, the lowest odds first. Needed unless `bet_id` is given.',
    }),
    bet_id: fields.idNumber.nullish().meta({ description: 'Just this offer; goes before `wager_reference`.' }),
    maximum_odds: fields.odds().meta({ description: 'Offers above are not taken. At most 6 decimals.' }),
    accepting_amount: fields.amount().meta({
      description:
        "How much to take, in the requesting users' stakes; as much as there is, up to it. At most 6 decimals.",
    }),
    accepting_user_id: userById('Who accepts', 'accepting_user_reference'),
    accepting_user_reference: userByReference('Who accepts', 'accepting_user_id'),
    requesting_user_id: fields.idNumber.nullish().meta({ description: 'Only offers of this user, by id.' }),
    requesting_user_reference: fields.reference.nullish().meta({
      description: 'Only offers of this user, as the business calls it.',
    }),
    meta: acceptanceMeta,
  })
  .meta({
    id: 'AcceptOffer',
    examples: [{ wager_reference: 'home-win', maximum_odds: 3, accepting_amount: 10, accepting_user_reference: 'bob' }],
  });

export function acceptOfferOf(body: z.output<typeof acceptOfferBody>, bound: number): AcceptOffer {
  return {
    type: 'accept_bet_offer',
    wagerReference: body.wager_reference ?? null,
    betId: fields.bigintOrNull(body.bet_id),
    acceptingUser: fields.userIdentifier(body.accepting_user_id, body.accepting_user_reference),
    requestingUser: fields.userIdentifier(body.requesting_user_id, body.requesting_user_reference),
    maximumOdds: body.maximum_odds,
    acceptingAmount: body.accepting_amount,
    bound,
  };
}

export const acceptedOffer = z
  .strictObject({
    ...offerIdentity,
    requesting_user_reference: text('Who offered, as the business calls it.'),
    requesting_user_id: id('Who offered.'),
    accepted_amount: decimal("What was taken of it, in the requesting user's stake."),
    accepted_odds: decimal('The odds of the offer.'),
  })
  .meta({
    id: 'AcceptedOffer',
    description: 'A match. The rest of the offer stays open, as a bet of its own.',
    examples: [
      {
        ...offerIdentityExample,
        requesting_user_reference: 'ann',
        requesting_user_id: 12,
        accepted_amount: 10,
        accepted_odds: 2.5,
      },
    ],
  });

export function presentAcceptedOffers(offers: readonly AcceptedOffer[]): z.output<typeof acceptedOffer>[] {
  return offers.map((offer) => ({
    bet_id: Number(offer.betId),
    requesting_user_reference: offer.requestingUserReference,
    requesting_user_id: Number(offer.requestingUserId),
    accepted_amount: numberFromMicros(offer.acceptedAmount),
    accepted_odds: numberFromMicros(offer.acceptedOdds),
    wager_reference: offer.wagerReference,
    wager_id: Number(offer.wagerId),
  }));
}

export const acceptOfferRefusals = [
  ...neededUser('accepting_user'),
  tooManyDecimals('accepting_amount'),
  reject('part-too-small'),
  ...namedUser('requesting_user'),
  reject('not-defined', 'wager_reference', 'bet_id'),
  reject('no-matching-offers'),
  reject('wager-decided'),
  ...noBetting,
  reject('bet-not-found'),
  reject('bet-not-requesting'),
  reject('bet-inactive'),
  reject('own-offer'),
  reject('other-requester'),
  reject('acceptor-not-allowed'),
  reject('odds-above-maximum', '2.5', '2'),
  reject('acceptance-unfunded'),
  balanceDisputed,
  beyondLedger,
  reject('sandbox-full'),
];

export const betAcceptOffer = endpoint({
  method: 'post',
  path: '/bets/accept-offer',
  tag: 'Bets',
  summary: 'Accept offers of a wager, or one bet',
  description: `Takes as much as there is, up to the amount: the lowest odds first, then the oldest. The rest of an offer stays open as a bet of its own. One request matches at most ${SHOWN_BOUND} offers and then stops as at the end of the book: the answer lists what it matched.`,
  access: 'account',
  status: 201,
  body: acceptOfferBody,
  answer: dataWith(z.array(acceptedOffer), 'Bet offer accepted'),
  refusals: acceptOfferRefusals,
  handle: ({ body, caller, call }, { ledger }) =>
    ledger.execute(caller.account.accountId, acceptOfferOf(body, OFFERS_OF_A_REQUEST), {
      call,
      present: (accepted) => ({ data: presentAcceptedOffers(accepted), message: 'Bet offer accepted' }),
    }),
});
