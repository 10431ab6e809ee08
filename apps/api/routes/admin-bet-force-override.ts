import { readAccount } from '#accounts/administration.js';
import { keepingRefusals } from '#idempotency/kept-answers.js';
import { endpoint } from '../endpoint.js';
import { actionOf, forceOverrideBody } from '../ledger/corrections.js';

export const adminBetForceOverride = endpoint({
  method: 'post',
  path: '/admin/bets/force-update-override-outcome',
  summary: 'Give a bet an outcome of its own, or take it away',
  access: 'admin',
  status: 200,
  body: forceOverrideBody,
  async handle({ body, caller, keeping }, { database, ledger }) {
    const { id } = await keepingRefusals(database, keeping, () => readAccount(database, BigInt(body.account_id)));
    const overrideOutcome = body.override_outcome ?? null;
    const operation = {
      type: 'force_bet_override',
      betId: BigInt(body.bet_id),
      overrideOutcome,
      action: actionOf(caller, body.description),
    } as const;
    const message = overrideOutcome === null ? 'Bet override removed' : 'Bet override updated';
    return ledger.execute(id, operation, { keeping, present: () => ({ message }) });
  },
});
