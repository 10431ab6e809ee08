import { reject } from '#core/rejection.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { beyondLedger, neededUser, tooManyDecimals } from '../../fields/ledger-operation.js';
import { MOVED_TEXT, movementAnswer, movementBody, presentMovement, readMovement } from './movement.js';

export const FUNDED = 'Balance funded';

export const transactionFundUser = endpoint({
  method: 'post',
  path: '/transactions/fund-user',
  tag: 'Transactions',
  summary: 'Give a user money',
  access: 'account',
  status: 201,
  body: movementBody('Fund', FUNDED),
  answer: dataWith(movementAnswer, MOVED_TEXT),
  refusals: [...neededUser('user'), tooManyDecimals('amount'), beyondLedger, reject('own-reference-taken')],
  async handle({ body, caller: { account }, call }, { ledger }) {
    const operation = { type: 'fund_user', ...readMovement(body, FUNDED) } as const;
    return ledger.move(account.accountId, operation, {
      call,
      present: (moved) => ({ data: presentMovement(moved, account.accountId), message: MOVED_TEXT }),
    });
  },
});
