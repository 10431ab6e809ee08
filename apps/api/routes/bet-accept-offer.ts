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
  async handle({ body, caller }, { ledger }) {
    const accepted = await ledger.execute(caller.account.accountId, acceptOfferOf(body));
    return { data: presentAcceptedOffers(accepted), message: 'Bet offer accepted' };
  },
});
