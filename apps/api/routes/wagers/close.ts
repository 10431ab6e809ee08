import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { closeBody, closeOf, closeRefusals, presentAnswered } from './status-change.js';
import { listedWager, wagerPath } from './wager.js';

const CLOSED = 'Wager closed';

export const wagerClose = endpoint({
  method: 'post',
  path: '/wagers/:reference/close',
  tag: 'Wagers',
  summary: 'Stop betting on a wager for good',
  description:
    'No offer is made and none is accepted any more; only a decision follows. Its open offers stay until they are canceled or the decision expires them; those with the persistence `cancel_on_suspend` are canceled. A wager that is closed stays as it is.',
  access: 'account',
  status: 200,
  params: wagerPath,
  body: closeBody,
  answer: dataWith(listedWager, CLOSED),
  refusals: closeRefusals,
  handle: ({ params, body, caller, call }, { ledger }) => {
    const { accountId } = caller.account;
    return ledger.execute(accountId, closeOf(body, params.reference), {
      call,
      present: (wager) => ({ data: presentAnswered(accountId, wager), message: CLOSED }),
    });
  },
});
