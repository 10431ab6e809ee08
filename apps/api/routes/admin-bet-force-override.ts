import { readAccount } from '#accounts/accounts.js';
import { lookUpOnce } from '#idempotency/idempotency.js';
import { messageOnly } from '../answers/fields.js';
import { endpoint } from '../endpoint.js';
import { actionOf, forceOverrideBody } from '../ledger/corrections.js';
import { forceOverrideRefusals } from '../ledger/refusals.js';

export const adminBetForceOverride = endpoint({
  method: 'post',
  path: '/admin/bets/force-update-override-outcome',
  tag: 'Administration',
  summary: 'Give a bet an outcome of its own, or take it away',
  description:
    'What the bet has moved is taken back, and moved anew by what it goes by now. While its override decides, it is `expired`.',
  access: 'admin',
  status: 200,
  body: forceOverrideBody,
  answer: messageOnly('Bet override updated', 'Bet override removed'),
  refusals: ['account-unknown', ...forceOverrideRefusals],
  async handle({ body, caller, idempotency }, { database, ledger }) {
    const { id } = await lookUpOnce(database, idempotency, () => readAccount(database, BigInt(body.account_id)));
    const overrideOutcome = body.override_outcome ?? null;
    const operation = {
      type: 'force_bet_override',
      betId: BigInt(body.bet_id),
      overrideOutcome,
      action: actionOf(caller, body.description),
    } as const;
    const message = overrideOutcome === null ? 'Bet override removed' : 'Bet override updated';
    return ledger.execute(id, operation, { idempotency, present: () => ({ message }) });
  },
});
