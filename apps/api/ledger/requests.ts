import { z } from 'zod';
import type { UserIdentifier } from '#core/needs.js';
import type { AcceptOffer } from '#core/operations/accept-offer.js';
import type { CancelOffer } from '#core/operations/cancel-offer.js';
import type { DecideWager } from '#core/operations/decide-wager.js';
import type { MakeOffer } from '#core/operations/make-offer.js';
import type { OverrideOutcome } from '#core/operations/override-outcome.js';
import { outcomes } from '#core/outcome.js';
import * as fields from '#http/fields.js';

// The bodies of the endpoints for bets, which are also the payloads of a batch, and the core's operations made of them.
// A missing identifier is the core's to refuse: it knows which alternatives there are.

const MAX_ALLOWED_ACCEPTORS = 1_000;
const MAX_WAGERS_OF_A_CANCEL = 100;
const BATCH_MINIMUM_FILTER_ODDS = 1.01;

const meta = z.looseObject({}).nullish();

export const makeOfferBody = z.strictObject({
  wager_reference: fields.reference,
  requesting_odds: fields.odds(),
  requesting_amount: fields.amount(),
  requesting_user_id: fields.id.nullish(),
  requesting_user_reference: fields.reference.nullish(),
  allowed_acceptor_ids: z.array(fields.id).max(MAX_ALLOWED_ACCEPTORS).nullish(),
  allowed_acceptor_references: z.array(fields.reference).max(MAX_ALLOWED_ACCEPTORS).nullish(),
  meta,
});

export const acceptOfferBody = z.strictObject({
  wager_reference: fields.reference.nullish(),
  bet_id: fields.id.nullish(),
  maximum_odds: fields.odds(),
  accepting_amount: fields.amount(),
  accepting_user_id: fields.id.nullish(),
  accepting_user_reference: fields.reference.nullish(),
  requesting_user_id: fields.id.nullish(),
  requesting_user_reference: fields.reference.nullish(),
  meta,
});

const cancelOffer = (minimumFilterOdds: number) =>
  z.strictObject({
    requesting_user_id: fields.id.nullish(),
    requesting_user_reference: fields.reference.nullish(),
    wager_references: z.array(fields.reference).max(MAX_WAGERS_OF_A_CANCEL).nullish(),
    bet_id: fields.id.nullish(),
    cancel_amount: fields.amount().nullish(),
    cancel_all: z.boolean().nullish(),
    minimum_odds: fields.odds(minimumFilterOdds).nullish(),
    maximum_odds: fields.odds(minimumFilterOdds).nullish(),
  });

export const cancelOfferBody = cancelOffer(0);
export const batchCancelOfferBody = cancelOffer(BATCH_MINIMUM_FILTER_ODDS);

export const decideWagerBody = z.strictObject({ reference: fields.reference, outcome: z.enum(outcomes) });
export const overrideOutcomeBody = z.strictObject({ bet_id: fields.id, override_outcome: z.enum(outcomes) });

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
