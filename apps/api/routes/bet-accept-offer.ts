import { z } from 'zod';
import { dataWith } from '../answers/fields.js';
import { acceptedOffer } from '../answers/offer.js';
import { endpoint } from '../endpoint.js';
import { presentAcceptedOffers } from '../ledger/answers.js';
import { acceptOfferRefusals } from '../ledger/refusals.js';
import { acceptOfferBody, acceptOfferOf } from '../ledger/requests.js';

export const betAcceptOffer = endpoint({
  method: 'post',
  path: '/bets/accept-offer',
  tag: 'Bets',
  summary: 'Accept offers of a wager, or one bet',
  description:
    'Takes as much as there is, up to the amount: the lowest odds first, then the oldest. What is left of an offer stays open as a bet of its own.',
  access: 'account',
  status: 201,
  body: acceptOfferBody,
  answer: dataWith(z.array(acceptedOffer), 'Bet offer accepted'),
  refusals: acceptOfferRefusals,
  handle: ({ body, caller, idempotency }, { ledger }) =>
    ledger.execute(caller.account.accountId, acceptOfferOf(body), {
      idempotency,
      present: (accepted) => ({ data: presentAcceptedOffers(accepted), message: 'Bet offer accepted' }),
    }),
});
