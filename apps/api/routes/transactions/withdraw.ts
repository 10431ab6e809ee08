import { microsFromNumber } from '#core/money.js';
import { reject } from '#core/rejection.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { balanceDisputed, beyondLedger, neededUser, tooManyDecimals } from '../../fields/ledger-operation.js';
import { approvalRequired, askFirst, ownLedger } from '../../guards/approval.js';
import { MOVED_TEXT, movementAnswer, movementBody, presentMovement, readMovement } from './movement.js';

export const WITHDRAWN = 'Withdrawal';

export const withdrawBody = movementBody('Withdraw', WITHDRAWN);

export const transactionWithdraw = endpoint({
  method: 'post',
  path: '/transactions/withdraw',
  tag: 'Transactions',
  summary: 'Take money from a user',
  description: 'What the open and matched bets of the user can still cost stays, unless a negative balance is allowed.',
  access: 'account',
  status: 201,
  body: withdrawBody,
  answer: dataWith(movementAnswer, MOVED_TEXT),
  accepted: approvalRequired,
  refusals: [
    ...neededUser('user'),
    tooManyDecimals('amount'),
    reject('withdrawal-unfunded'),
    balanceDisputed,
    beyondLedger,
    reject('own-reference-taken'),
    'change-request-pending',
  ],
  async handle({ body, caller, call }, services) {
    const { accountId, approvals } = caller.account;
    const operation = { type: 'withdraw', ...readMovement(body, WITHDRAWN) } as const;
    const isDear = approvals !== null && operation.amount > (microsFromNumber(approvals.above) ?? 0n);
    if (isDear && approvals.kinds.includes('withdraw_user'))
      return askFirst(services, { ...ownLedger(caller, call), kind: 'withdraw_user', given: body, operation });
    return services.ledger.move(accountId, operation, {
      call,
      present: (moved) => ({ data: presentMovement(moved, accountId), message: MOVED_TEXT }),
    });
  },
});
