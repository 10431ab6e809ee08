import { z } from 'zod';
import { dataWith } from '../answers/fields.js';
import { canceledOffer } from '../answers/offer.js';
import { endpoint } from '../endpoint.js';
import { presentCanceledOffers } from '../ledger/answers.js';
import { cancelOfferRefusals } from '../ledger/refusals.js';
import { cancelOfferBody, cancelOfferOf } from '../ledger/requests.js';

export const betCancelOffer = endpoint({
  method: 'post',
  path: '/bets/cancel-offer',
  tag: 'Bets',
  summary: 'Cancel open offers, wholly or for an amount',
  description: 'Canceled in part, an offer leaves a bet of its own for the rest, which keeps its place in the queue.',
  access: 'account',
  status: 201,
  body: cancelOfferBody,
  answer: dataWith(z.array(canceledOffer), 'Bet offer canceled'),
  refusals: cancelOfferRefusals,
  handle: ({ body, caller, idempotency }, { ledger }) =>
    ledger.execute(caller.account.accountId, cancelOfferOf(body), {
      idempotency,
      present: (canceled) => ({ message: 'Bet offer canceled', data: presentCanceledOffers(canceled) }),
    }),
});
