import { messageOnly } from '../answers/fields.js';
import { endpoint } from '../endpoint.js';
import { OVERRIDDEN } from '../ledger/answers.js';
import { overrideOutcomeRefusals } from '../ledger/refusals.js';
import { overrideOutcomeBody, overrideOutcomeOf } from '../ledger/requests.js';

export const betOverrideOutcome = endpoint({
  method: 'post',
  path: '/bets/override-outcome',
  tag: 'Bets',
  summary: 'Settle an accepted bet by an outcome of its own',
  description: 'It is settled at once, and stays so when its wager is decided. `undecided` takes its settlement back.',
  access: 'account',
  status: 200,
  body: overrideOutcomeBody,
  answer: messageOnly(OVERRIDDEN),
  refusals: overrideOutcomeRefusals,
  handle: ({ body, caller, idempotency }, { ledger }) =>
    ledger.execute(caller.account.accountId, overrideOutcomeOf(body), {
      idempotency,
      present: () => ({ message: OVERRIDDEN }),
    }),
});
