import { dataWith } from '../answers/fields.js';
import { movement } from '../answers/transaction.js';
import { endpoint } from '../endpoint.js';
import { FUNDED, fundBody, MOVED, movementOf, presentMovement } from '../ledger/movement.js';
import { fundRefusals } from '../ledger/refusals.js';

export const transactionFundUser = endpoint({
  method: 'post',
  path: '/transactions/fund-user',
  tag: 'Transactions',
  summary: 'Give a user money',
  access: 'account',
  status: 201,
  body: fundBody,
  answer: dataWith(movement, MOVED),
  refusals: fundRefusals,
  async handle({ body, caller: { account }, idempotency }, { ledger }) {
    const operation = { type: 'fund_user', ...movementOf(body, FUNDED) } as const;
    return ledger.move(account.accountId, operation, {
      idempotency,
      present: (moved) => ({ data: presentMovement(moved, account.accountId), message: MOVED }),
    });
  },
});
