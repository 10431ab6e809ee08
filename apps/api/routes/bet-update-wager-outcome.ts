import { messageOnly } from '../answers/fields.js';
import { endpoint } from '../endpoint.js';
import { DECIDED_TEXTS, decidedText } from '../ledger/answers.js';
import { decideWagerRefusals } from '../ledger/refusals.js';
import { decideWagerBody, decideWagerOf } from '../ledger/requests.js';

export const betUpdateWagerOutcome = endpoint({
  method: 'post',
  path: '/bets/update-wager-outcome',
  tag: 'Bets',
  summary: 'Decide a wager: its offers expire, its bets are settled',
  description:
    'A wager is decided once. What is beyond the bound for one request, the worker settles; the text then says how much.',
  access: 'account',
  status: 201,
  body: decideWagerBody,
  answer: messageOnly(...DECIDED_TEXTS),
  refusals: decideWagerRefusals,
  handle: ({ body, caller, idempotency }, { ledger, settlementBound }) =>
    ledger.execute(caller.account.accountId, decideWagerOf(body, settlementBound), {
      idempotency,
      present: (decided) => ({ message: decidedText(decided) }),
    }),
});
