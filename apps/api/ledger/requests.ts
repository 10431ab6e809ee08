import { z } from 'zod';
import type { UserIdentifier } from '#core/needs.js';
import type { AcceptOffer } from '#core/operations/accept-offer.js';
import type { CancelOffer } from '#core/operations/cancel-offer.js';
import type { DecideWager } from '#core/operations/decide-wager.js';
import type { MakeOffer } from '#core/operations/make-offer.js';
import type { OverrideOutcome } from '#core/operations/override-outcome.js';
import * as fields from '#http/fields.js';
import { outcome } from '../words.js';

// The bodies of the endpoints for bets, which are also the payloads of a batch, and the core's operations made of them.
// A missing identifier is the core's to refuse: it knows which alternatives there are.

const MAX_ALLOWED_ACCEPTORS = 1_000;
const MAX_WAGERS_OF_A_CANCEL = 100;
const BATCH_MINIMUM_FILTER_ODDS = 1.01;

const meta = z.looseObject({}).nullish().meta({ description: "Anything of the business's own." });

/** One of the two names the user; the core says so, as it does of the other alternatives. */
export const userById = (who: string, reference: string) =>
  fields.id.nullish().meta({ description: `${who}, by id; needed unless \`${reference}\` is given.` });
export const userByReference = (who: string, id: string) =>
  fields.reference.nullish().meta({
    description: `${who}, as the business calls it; needed unless \`${id}\` is given. Both must name the same user.`,
  });

const requestingUserId = userById('Who offers', 'requesting_user_reference');
const requestingUserReference = userByReference('Who offers', 'requesting_user_id');

export const makeOfferBody = z
  .strictObject({
    wager_reference: fields.reference.meta({
      description: 'The wager, as the business calls it. Its first offer creates it.',
    }),
    requesting_odds: fields
      .odds()
      .meta({ description: 'What a stake of 1 comes back as on a win. At most 6 decimals.' }),
    requesting_amount: fields.amount().meta({ description: 'The stake of the requesting user. At most 6 decimals.' }),
    requesting_user_id: requestingUserId,
    requesting_user_reference: requestingUserReference,
    allowed_acceptor_ids: z.array(fields.id).max(MAX_ALLOWED_ACCEPTORS).nullish().meta({
      description: 'Only these users may accept, and those of `allowed_acceptor_references`. Neither: everybody.',
    }),
    allowed_acceptor_references: z.array(fields.reference).max(MAX_ALLOWED_ACCEPTORS).nullish().meta({
      description: 'Only these users may accept, and those of `allowed_acceptor_ids`. Neither: everybody.',
    }),
    meta,
  })
  .meta({
    id: 'MakeOffer',
    examples: [
      { wager_reference: 'home-win', requesting_odds: 2.5, requesting_amount: 10, requesting_user_reference: 'ann' },
    ],
  });

export const acceptOfferBody = z
  .strictObject({
    wager_reference: fields.reference.nullish().meta({
      description: 'Offers of this wager are taken, the lowest odds first. Needed unless `bet_id` is given.',
    }),
    bet_id: fields.id.nullish().meta({ description: 'Just this offer; goes before `wager_reference`.' }),
    maximum_odds: fields.odds().meta({ description: 'Offers above are not taken. At most 6 decimals.' }),
    accepting_amount: fields.amount().meta({
      description:
        "How much to take, in the requesting users' stakes; as much as there is, up to it. At most 6 decimals.",
    }),
    accepting_user_id: userById('Who accepts', 'accepting_user_reference'),
    accepting_user_reference: userByReference('Who accepts', 'accepting_user_id'),
    requesting_user_id: fields.id.nullish().meta({ description: 'Only offers of this user, by id.' }),
    requesting_user_reference: fields.reference.nullish().meta({
      description: 'Only offers of this user, as the business calls it.',
    }),
    meta,
  })
  .meta({
    id: 'AcceptOffer',
    examples: [{ wager_reference: 'home-win', maximum_odds: 3, accepting_amount: 10, accepting_user_reference: 'bob' }],
  });

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
      bet_id: fields.id.nullish().meta({ description: 'Just this offer, whatever its odds.' }),
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

export const cancelOfferBody = cancelOffer('CancelOffer', 0);
export const batchCancelOfferBody = cancelOffer('CancelOfferInBatch', BATCH_MINIMUM_FILTER_ODDS);

export const decideWagerBody = z
  .strictObject({ reference: fields.reference.meta({ description: 'The wager, as the business calls it.' }), outcome })
  .meta({ id: 'DecideWager', examples: [{ reference: 'home-win', outcome: 'win' }] });

export const overrideOutcomeBody = z
  .strictObject({
    bet_id: fields.id.meta({ description: 'An accepted bet.' }),
    override_outcome: outcome.meta({ description: "What the bet is settled by, in place of its wager's outcome." }),
  })
  .meta({ id: 'OverrideOutcome', examples: [{ bet_id: 21, override_outcome: 'push' }] });

export const bigintOrNull = (id: number | null | undefined): bigint | null => (id == null ? null : BigInt(id));

export function userIdentifier(id: number | null | undefined, reference: string | null | undefined): UserIdentifier {
  return { id: id == null ? undefined : BigInt(id), reference: reference ?? undefined };
}

export function makeOfferOf(body: z.output<typeof makeOfferBody>): MakeOffer {
  return {
    type: 'make_bet_offer',
    wagerReference: body.wager_reference,
    requestingUser: userIdentifier(body.requesting_user_id, body.requesting_user_reference),
    requestingOdds: body.requesting_odds,
    requestingAmount: body.requesting_amount,
    allowedAcceptorIds: (body.allowed_acceptor_ids ?? []).map(BigInt),
    allowedAcceptorReferences: body.allowed_acceptor_references ?? [],
    meta: body.meta ?? null,
  };
}

export function acceptOfferOf(body: z.output<typeof acceptOfferBody>): AcceptOffer {
  return {
    type: 'accept_bet_offer',
    wagerReference: body.wager_reference ?? null,
    betId: bigintOrNull(body.bet_id),
    acceptingUser: userIdentifier(body.accepting_user_id, body.accepting_user_reference),
    requestingUser: userIdentifier(body.requesting_user_id, body.requesting_user_reference),
    maximumOdds: body.maximum_odds,
    acceptingAmount: body.accepting_amount,
  };
}

export function cancelOfferOf(body: z.output<typeof cancelOfferBody>): CancelOffer {
  return {
    type: 'cancel_bet_offer',
    requestingUser: userIdentifier(body.requesting_user_id, body.requesting_user_reference),
    wagerReferences: body.wager_references ?? [],
    betId: bigintOrNull(body.bet_id),
    cancelAmount: body.cancel_amount ?? null,
    cancelAll: body.cancel_all ?? false,
    minimumOdds: body.minimum_odds ?? null,
    maximumOdds: body.maximum_odds ?? null,
  };
}

export function decideWagerOf(body: z.output<typeof decideWagerBody>, bound: number): DecideWager {
  return { type: 'update_wager_outcome', reference: body.reference, outcome: body.outcome, bound };
}

export function overrideOutcomeOf(body: z.output<typeof overrideOutcomeBody>): OverrideOutcome {
  return { type: 'override_bet_outcome', betId: BigInt(body.bet_id), overrideOutcome: body.override_outcome };
}
