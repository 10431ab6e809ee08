import type { z } from 'zod';
import { numberFromMicros } from '#core/money.js';
import type { AcceptedOffer } from '#core/operations/accept-offer.js';
import type { CanceledOffer } from '#core/operations/cancel-offer.js';
import type { MadeOffer } from '#core/operations/make-offer.js';
import type { WagerDecided } from '#core/settle.js';
import type { acceptedOffer, canceledOffer, madeOffer } from '../answers/offer.js';

// What the endpoints for bets answer as `data` or `message`, alone and as results of a batch.

export function presentMadeOffer({ betId, wagerReference, wagerId }: MadeOffer): z.output<typeof madeOffer> {
  return { bet_id: Number(betId), wager_reference: wagerReference, wager_id: Number(wagerId) };
}

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

export function presentCanceledOffers(offers: readonly CanceledOffer[]): z.output<typeof canceledOffer>[] {
  return offers.map(({ betId, wagerReference, wagerId, note }) => ({
    bet_id: Number(betId),
    wager_reference: wagerReference,
    wager_id: Number(wagerId),
    ...(note === null ? {} : { note }),
  }));
}

/** What is not settled yet, the worker settles: who asked for the decision is told how much that is. */
export function decidedText({ remainingCount }: WagerDecided): string {
  if (remainingCount === 0) return 'Wager outcome updated';
  return `Wager outcome updated: ${remainingCount} ${remainingCount === 1 ? 'bet' : 'bets'} still to settle`;
}

/** The like of them, for the documentation. */
export const DECIDED_TEXTS = [0, 1500].map((remainingCount) =>
  decidedText({ wagerId: 0n, settledCount: 0, remainingCount }),
);

export const OVERRIDDEN = 'Bet outcome overridden';
