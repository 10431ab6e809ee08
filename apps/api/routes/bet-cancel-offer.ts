import { endpoint } from '../endpoint.js';
import { presentCanceledOffers } from '../ledger/answers.js';
import { cancelOfferBody, cancelOfferOf } from '../ledger/requests.js';

export const betCancelOffer = endpoint({
  method: 'post',
  path: '/bets/cancel-offer',
  summary: 'Cancel open offers, wholly or for an amount',
  access: 'account',
  status: 201,
  body: cancelOfferBody,
  handle: ({ body, caller, keeping }, { ledger }) =>
    ledger.execute(caller.account.accountId, cancelOfferOf(body), {
      keeping,
      present: (canceled) => ({ message: 'Bet offer canceled', data: presentCanceledOffers(canceled) }),
    }),
});
