import { endpoint } from '../endpoint.js';
import { MOVED, movementBody, movementOf, presentMovement } from '../ledger/movement.js';

export const transactionWithdraw = endpoint({
  method: 'post',
  path: '/transactions/withdraw',
  summary: 'Take money from a user',
  access: 'account',
  status: 201,
  body: movementBody,
  async handle({ body, caller: { account } }, { ledger }) {
    const operation = { type: 'withdraw', ...movementOf(body, 'Withdrawal') } as const;
    const movement = await ledger.move(account.accountId, operation);
    return { data: presentMovement(movement, account.accountId), message: MOVED };
  },
});
