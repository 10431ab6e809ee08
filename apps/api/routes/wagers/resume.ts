import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { presentAnswered, resumeOf, resumeRefusals } from './status-change.js';
import { listedWager, wagerPath } from './wager.js';

const RESUMED = 'Wager resumed';

export const wagerResume = endpoint({
  method: 'post',
  path: '/wagers/:reference/resume',
  tag: 'Wagers',
  summary: 'Take bets on a suspended wager again',
  description: 'The offers that were left are open again, in their order. A wager that is open stays as it is.',
  access: 'account',
  status: 200,
  params: wagerPath,
  answer: dataWith(listedWager, RESUMED),
  refusals: resumeRefusals,
  handle: ({ params, caller, call }, { ledger }) => {
    const { accountId } = caller.account;
    return ledger.execute(accountId, resumeOf(params.reference), {
      call,
      present: (wager) => ({ data: presentAnswered(accountId, wager), message: RESUMED }),
    });
  },
});
