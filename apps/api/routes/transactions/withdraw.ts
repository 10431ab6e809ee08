import { reject } from '#core/rejection.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { balanceDisputed, beyondLedger, neededUser, tooManyDecimals } from '../../fields/ledger-operation.js';
import { MOVED_TEXT, movementAnswer, movementBody, presentMovement, readMovement } from './movement.js';

const WITHDRAWN = 'Withdrawal';

export const transactionWithdraw = endpoint({
  method: 'post',
  path: '/transactions/withdraw',
  tag: 'Transactions',
  summary: 'Take money from a user',
  description: 'What the open and matched bets of the user can still cost stays, unless a negative balance is allowed.',
  access: 'account',
  status: 201,
  body: movementBody('Withdraw', WITHDRAWN),
  answer: dataWith(movementAnswer, MOVED_TEXT),
  refusals: [
    ...neededUser('user'),
    tooManyDecimals('amount'),
    reject('withdrawal-unfunded'),
    balanceDisputed,
    beyondLedger,
    reject('own-reference-taken'),
  ],
  async handle({ body, caller: { account }, call }, { ledger }) {
    const operation = { type: 'withdraw', ...readMovement(body, WITHDRAWN) } as const;
    return ledger.move(account.accountId, operation, {
      call,
      present: (moved) => ({ data: presentMovement(moved, account.accountId), message: MOVED_TEXT }),
    });
  },
});
