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
  handle: ({ body, caller, keeping }, { ledger, settlementBound }) =>
    ledger.execute(caller.account.accountId, decideWagerOf(body, settlementBound), {
      keeping,
      present: (decided) => ({ message: decidedText(decided) }),
    }),
});
