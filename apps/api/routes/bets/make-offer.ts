import { z } from 'zod';
import { LONGEST_OFFER_DAYS, type MadeOffer, type MakeOffer, type OfferEnd } from '#core/make-offer.js';
import { momentOf } from '#core/moment.js';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import {
  balanceDisputed,
  beyondLedger,
  ledgerBound,
  neededUser,
  noBetting,
  tooManyDecimals,
} from '../../fields/ledger-operation.js';
import { offerIdentity, offerIdentityExample, offerMeta, requestingUserId, requestingUserReference } from './offer.js';

const MAX_ALLOWED_ACCEPTORS = 1_000;
const LONGEST_OFFER_SECONDS = LONGEST_OFFER_DAYS * 86_400;

export const makeOfferBody = z
  .strictObject({
    wager_reference: fields.reference.meta({
      description: 'The wager, as the business calls it. The first offer on a reference creates it.',
    }),
    requesting_odds: fields
      .odds()
      .meta({ description: 'What a stake of 1 comes back as on a win. At most 6 decimals.' }),
    requesting_amount: fields.amount().meta({ description: 'The stake of the requesting user. At most 6 decimals.' }),
    requesting_user_id: requestingUserId,
    requesting_user_reference: requestingUserReference,
    allowed_acceptor_ids: z.array(fields.idNumber).max(MAX_ALLOWED_ACCEPTORS).nullish().meta({
      description: 'Only these users may accept, and those of `allowed_acceptor_references`. Neither: all users.',
    }),
    allowed_acceptor_references: z.array(fields.reference).max(MAX_ALLOWED_ACCEPTORS).nullish().meta({
      description: 'Only these users may accept, and those of `allowed_acceptor_ids`. Neither: all users.',
    }),
    expires_at: fields.bodyMoment.nullish().meta({
      description: `When the offer ends by itself, in the future and at most ${LONGEST_OFFER_DAYS} days ahead. Not together with \`expires_in\`. Neither: at no time.`,
    }),
    expires_in: z
      .int()
      .min(1)
      .max(LONGEST_OFFER_SECONDS)
      .nullish()
      .meta({
        description: 'The same in seconds from now, by the clock of the database.',
        examples: [30],
      }),
    persistence: z.enum(['keep', 'cancel_on_suspend']).nullish().meta({
      description: 'Whether the offer outlives a suspension or the closing of its wager (`keep`), or is canceled then.',
      default: 'keep',
    }),
    meta: offerMeta,
  })
  .refine(({ expires_at: at, expires_in: inSeconds }) => at == null || inSeconds == null, {
    path: ['expires_in'],
    error: 'must not be given together with expires_at',
  })
  .meta({
    id: 'MakeOffer',
    examples: [
      { wager_reference: 'home-win', requesting_odds: 2.5, requesting_amount: 10, requesting_user_reference: 'ann' },
    ],
  });

function endOf({ expires_at: at, expires_in: inSeconds }: z.output<typeof makeOfferBody>): OfferEnd | null {
  if (at != null) return { at: momentOf(at) };
  return inSeconds == null ? null : { inSeconds };
}

export function makeOfferOf(body: z.output<typeof makeOfferBody>): MakeOffer {
  return {
    type: 'make_bet_offer',
    wagerReference: body.wager_reference,
    requestingUser: fields.userIdentifier(body.requesting_user_id, body.requesting_user_reference),
    requestingOdds: body.requesting_odds,
    requestingAmount: body.requesting_amount,
    allowedAcceptorIds: (body.allowed_acceptor_ids ?? []).map(BigInt),
    allowedAcceptorReferences: body.allowed_acceptor_references ?? [],
    ends: endOf(body),
    cancelOnSuspend: body.persistence === 'cancel_on_suspend',
    meta: body.meta ?? null,
  };
}

export const madeOffer = z.strictObject(offerIdentity).meta({ id: 'MadeOffer', examples: [offerIdentityExample] });

export function presentMadeOffer({ betId, wagerReference, wagerId }: MadeOffer): z.output<typeof madeOffer> {
  return { bet_id: Number(betId), wager_reference: wagerReference, wager_id: Number(wagerId) };
}

export const makeOfferRefusals = [
  ...neededUser('requesting_user'),
  tooManyDecimals('requesting_amount'),
  reject('wager-decided'),
  ...noBetting,
  reject('malformed', 'expires_at must be in the future'),
  reject('allowed-acceptor-not-found'),
  reject('offer-unfunded'),
  balanceDisputed,
  reject('winnings-too-large', ledgerBound),
  beyondLedger,
  reject('sandbox-full'),
];

export const betMakeOffer = endpoint({
  method: 'post',
  path: '/bets/make-offer',
  tag: 'Bets',
  summary: 'Offer a bet on a wager',
  description: 'The stake becomes exposure of the requesting user until the offer is accepted, canceled or expired.',
  access: 'account',
  status: 201,
  body: makeOfferBody,
  answer: dataWith(madeOffer, 'Bet offer made'),
  refusals: makeOfferRefusals,
  handle: ({ body, caller, call }, { ledger }) =>
    ledger.execute(caller.account.accountId, makeOfferOf(body), {
      call,
      present: (made) => ({ data: presentMadeOffer(made), message: 'Bet offer made' }),
    }),
});
