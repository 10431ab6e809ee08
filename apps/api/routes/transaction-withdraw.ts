import { dataWith } from '../answers/fields.js';
import { movement } from '../answers/transaction.js';
import { endpoint } from '../endpoint.js';
import { MOVED, movementOf, presentMovement, WITHDRAWN, withdrawBody } from '../ledger/movement.js';
import { withdrawRefusals } from '../ledger/refusals.js';

export const transactionWithdraw = endpoint({
  method: 'post',
  path: '/transactions/withdraw',
  tag: 'Transactions',
  summary: 'Take money from a user',
  description: 'What the open and matched bets of the user can still cost stays, unless a negative balance is allowed.',
  access: 'account',
  status: 201,
  body: withdrawBody,
  answer: dataWith(movement, MOVED),
  refusals: withdrawRefusals,
  async handle({ body, caller: { account }, idempotency }, { ledger }) {
    const operation = { type: 'withdraw', ...movementOf(body, WITHDRAWN) } as const;
    return ledger.move(account.accountId, operation, {
      idempotency,
      present: (moved) => ({ data: presentMovement(moved, account.accountId), message: MOVED }),
    });
  },
});
