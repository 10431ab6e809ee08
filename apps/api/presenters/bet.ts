import type { z } from 'zod';
import { asMicros, formatMicros, type Micros, numberFromMicros, type OddsMicros } from '#core/money.js';
import type { Bet, BetTrail, BetWithTrails } from '#reads/bet.js';
import type { bet as betAnswer, betTrail, openBet } from '../answers/bet.js';
import { presentTransaction } from './transaction.js';

const numberOrNull = (value: Micros | OddsMicros | null) => (value === null ? null : numberFromMicros(value));
const idOrNull = (id: bigint | null) => (id === null ? null : Number(id));

/** A sum may be beyond what micro-units are exact for as a number: its decimal text then is rounded, and only once. */
export const presentSum = (micros: bigint): number => Number(formatMicros(asMicros(micros)));

function presentOffer(bet: Bet) {
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

/** Among open offers the field is always there: an empty one says that everybody may accept. */
export function presentOpenBet(bet: Bet): z.output<typeof openBet> {
  return {
    ...presentOffer(bet),
    allowed_acceptor_ids: bet.allowedAcceptorIds.map(Number),
    created_at: bet.createdAt,
  };
}

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

export function presentBet({ bet, trails }: BetWithTrails): z.output<typeof betAnswer> {
  return {
    ...presentOffer(bet),
    accepting_user_id: idOrNull(bet.acceptingUserId),
    accepting_user_reference: bet.acceptingUserReference,
    ...(bet.allowedAcceptorIds.length === 0 ? {} : { allowed_acceptor_ids: bet.allowedAcceptorIds.map(Number) }),
    effective_odds: numberOrNull(bet.effectiveOdds),
    effective_amount: numberOrNull(bet.effectiveAmount),
    override_outcome: bet.overrideOutcome,
    is_active: bet.isActive,
    created_at: bet.createdAt,
    wager: {
      id: Number(bet.wagerId),
      reference: bet.wagerReference,
      outcome: bet.wagerOutcome,
      account_id: Number(bet.accountId),
      created_at: bet.wagerCreatedAt,
      updated_at: bet.wagerUpdatedAt,
    },
    ...(trails === undefined ? {} : { bet_trails: trails.map(presentTrail) }),
  };
}
