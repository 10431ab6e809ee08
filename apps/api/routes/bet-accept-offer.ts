import { endpoint } from '../endpoint.js';
import { presentAcceptedOffers } from '../ledger/answers.js';
import { acceptOfferBody, acceptOfferOf } from '../ledger/requests.js';

export const betAcceptOffer = endpoint({
  method: 'post',
  path: '/bets/accept-offer',
  summary: 'Accept offers of a wager, or one bet',
  access: 'account',
  status: 201,
  body: acceptOfferBody,
  handle: ({ body, caller, keeping }, { ledger }) =>
    ledger.execute(caller.account.accountId, acceptOfferOf(body), {
      keeping,
      present: (accepted) => ({ data: presentAcceptedOffers(accepted), message: 'Bet offer accepted' }),
    }),
});
