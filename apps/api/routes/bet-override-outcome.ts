import { endpoint } from '../endpoint.js';
import { OVERRIDDEN } from '../ledger/answers.js';
import { overrideOutcomeBody, overrideOutcomeOf } from '../ledger/requests.js';

export const betOverrideOutcome = endpoint({
  method: 'post',
  path: '/bets/override-outcome',
  summary: 'Settle an accepted bet by an outcome of its own',
  access: 'account',
  status: 200,
  body: overrideOutcomeBody,
  handle: ({ body, caller, keeping }, { ledger }) =>
    ledger.execute(caller.account.accountId, overrideOutcomeOf(body), {
      keeping,
      present: () => ({ message: OVERRIDDEN }),
    }),
});
