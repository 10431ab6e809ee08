import { dataWith } from '../answers/fields.js';
import { madeOffer } from '../answers/offer.js';
import { endpoint } from '../endpoint.js';
import { presentMadeOffer } from '../ledger/answers.js';
import { makeOfferRefusals } from '../ledger/refusals.js';
import { makeOfferBody, makeOfferOf } from '../ledger/requests.js';

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
  handle: ({ body, caller, idempotency }, { ledger }) =>
    ledger.execute(caller.account.accountId, makeOfferOf(body), {
      idempotency,
      present: (made) => ({ data: presentMadeOffer(made), message: 'Bet offer made' }),
    }),
});
