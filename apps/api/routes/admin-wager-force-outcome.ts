import { readAccount } from '#accounts/accounts.js';
import { lookUpOnce } from '#idempotency/idempotency.js';
import { messageOnly } from '../answers/fields.js';
import { endpoint } from '../endpoint.js';
import { DECIDED_TEXTS, decidedText } from '../ledger/answers.js';
import { actionOf, forceOutcomeBody } from '../ledger/corrections.js';
import { forceOutcomeRefusals } from '../ledger/refusals.js';

export const adminWagerForceOutcome = endpoint({
  method: 'post',
  path: '/admin/wagers/force-update-outcome',
  tag: 'Administration',
  summary: 'Give a wager another outcome, decided or not',
  description:
    'Every bet of the wager moves to where the outcome says; what is beyond the bound for one request, the worker moves. Back to `undecided`, the offers that the decision expired are open again.',
  access: 'admin',
  status: 200,
  body: forceOutcomeBody,
  answer: messageOnly(...DECIDED_TEXTS),
  refusals: ['account-unknown', ...forceOutcomeRefusals],
  async handle({ body, caller, idempotency }, { database, ledger, settlementBound }) {
    const { id } = await lookUpOnce(database, idempotency, () => readAccount(database, BigInt(body.account_id)));
    const operation = {
      type: 'force_wager_outcome',
      wagerReference: body.wager_reference,
      outcome: body.outcome,
      bound: settlementBound,
      action: actionOf(caller, body.description),
    } as const;
    return ledger.execute(id, operation, { idempotency, present: (decided) => ({ message: decidedText(decided) }) });
  },
});
