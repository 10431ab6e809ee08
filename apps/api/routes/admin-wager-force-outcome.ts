import { readAccount } from '#accounts/administration.js';
import { keepingRefusals } from '#idempotency/kept-answers.js';
import { endpoint } from '../endpoint.js';
import { decidedText } from '../ledger/answers.js';
import { actionOf, forceOutcomeBody } from '../ledger/corrections.js';

export const adminWagerForceOutcome = endpoint({
  method: 'post',
  path: '/admin/wagers/force-update-outcome',
  summary: 'Give a wager another outcome, decided or not',
  access: 'admin',
  status: 200,
  body: forceOutcomeBody,
  async handle({ body, caller, keeping }, { database, ledger, settlementBound }) {
    const { id } = await keepingRefusals(database, keeping, () => readAccount(database, BigInt(body.account_id)));
    const operation = {
      type: 'force_wager_outcome',
      wagerReference: body.wager_reference,
      outcome: body.outcome,
      bound: settlementBound,
      action: actionOf(caller, body.description),
    } as const;
    return ledger.execute(id, operation, { keeping, present: (decided) => ({ message: decidedText(decided) }) });
  },
});
