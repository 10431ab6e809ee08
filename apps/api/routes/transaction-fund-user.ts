import { endpoint } from '../endpoint.js';
import { MOVED, movementBody, movementOf, presentMovement } from '../ledger/movement.js';

export const transactionFundUser = endpoint({
  method: 'post',
  path: '/transactions/fund-user',
  summary: 'Give a user money',
  access: 'account',
  status: 201,
  body: movementBody,
  async handle({ body, caller: { account }, keeping }, { ledger }) {
    const operation = { type: 'fund_user', ...movementOf(body, 'Balance funded') } as const;
    return ledger.move(account.accountId, operation, {
      keeping,
      present: (movement) => ({ data: presentMovement(movement, account.accountId), message: MOVED }),
    });
  },
});
