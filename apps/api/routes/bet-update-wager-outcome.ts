import { endpoint } from '../endpoint.js';
import { decidedText } from '../ledger/answers.js';
import { decideWagerBody, decideWagerOf } from '../ledger/requests.js';

export const betUpdateWagerOutcome = endpoint({
  method: 'post',
  path: '/bets/update-wager-outcome',
  summary: 'Decide a wager: its offers expire, its bets are settled',
  access: 'account',
  status: 201,
  body: decideWagerBody,
  async handle({ body, caller }, { ledger, settlementBound }) {
    const decided = await ledger.execute(caller.account.accountId, decideWagerOf(body, settlementBound));
    return { message: decidedText(decided) };
  },
});
