import { endpoint } from '../endpoint.js';
import { presentMadeOffer } from '../ledger/answers.js';
import { makeOfferBody, makeOfferOf } from '../ledger/requests.js';

export const betMakeOffer = endpoint({
  method: 'post',
  path: '/bets/make-offer',
  summary: 'Offer a bet on a wager',
  access: 'account',
  status: 201,
  body: makeOfferBody,
  handle: ({ body, caller, keeping }, { ledger }) =>
    ledger.execute(caller.account.accountId, makeOfferOf(body), {
      keeping,
      present: (made) => ({ data: presentMadeOffer(made), message: 'Bet offer made' }),
    }),
});
