import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { presentAnswered, suspendBody, suspendOf, suspendRefusals } from './status-change.js';
import { listedWager, wagerPath } from './wager.js';

const SUSPENDED = 'Wager suspended';

export const wagerSuspend = endpoint({
  method: 'post',
  path: '/wagers/:reference/suspend',
  tag: 'Wagers',
  summary: 'Stop betting on a wager for now',
  description:
    'From the answer on, no offer is made and none is accepted. Its open offers keep their places, but for those with the persistence `cancel_on_suspend`, which are canceled. Canceling and deciding go on. A wager that is suspended stays as it is, also when a change request has suspended it and ends; with `cancel_offers` its offers are canceled.',
  access: 'account',
  status: 200,
  params: wagerPath,
  body: suspendBody,
  answer: dataWith(listedWager, SUSPENDED),
  refusals: suspendRefusals,
  handle: ({ params, body, caller, call }, { ledger }) => {
    const { accountId } = caller.account;
    return ledger.execute(accountId, suspendOf(body, params.reference), {
      call,
      present: (wager) => ({ data: presentAnswered(accountId, wager), message: SUSPENDED }),
    });
  },
});
