import { endpoint } from '../endpoint.js';
import { MOVED, movementBody, movementOf, presentMovement } from '../ledger/movement.js';

export const transactionWithdraw = endpoint({
  method: 'post',
  path: '/transactions/withdraw',
  summary: 'Take money from a user',
  access: 'account',
  status: 201,
  body: movementBody,
  async handle({ body, caller: { account }, keeping }, { ledger }) {
    const operation = { type: 'withdraw', ...movementOf(body, 'Withdrawal') } as const;
    return ledger.move(account.accountId, operation, {
      keeping,
      present: (movement) => ({ data: presentMovement(movement, account.accountId), message: MOVED }),
    });
  },
});
