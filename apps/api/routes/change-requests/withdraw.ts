import type { ChangeRequest } from '#approvals/change-request.js';
import { withdrawChangeRequest } from '#approvals/decide-request.js';
import { lookUpOnce } from '#idempotency/idempotency.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { personOf } from '../../guards/approval.js';
import { changeRequestAnswer, changeRequestPath, presentRequest, requestKeyOf } from './change-request.js';

const PATH = '/change-requests/:id/withdraw';
const WITHDRAWN = 'Change request withdrawn';

const present = (request: ChangeRequest) => ({ data: presentRequest(request), message: WITHDRAWN });

export const changeRequestWithdraw = endpoint({
  method: 'post',
  path: PATH,
  tag: 'Approvals',
  summary: 'Take a change request back',
  description: 'Only its maker can.',
  access: 'account',
  params: changeRequestPath,
  answer: dataWith(changeRequestAnswer, WITHDRAWN),
  refusals: ['change-request-not-found', 'not-the-maker', 'change-request-decided', 'change-request-expired'],
  async handle({ params, caller, call, cause }, services) {
    const key = await lookUpOnce(services.database.shared, call.idempotency, () =>
      requestKeyOf(params, { caller, cause, route: `POST ${PATH}` }, services),
    );
    if (key instanceof Replayed) return key;
    const options = { call, present, person: personOf(caller) };
    const withdrawn = await withdrawChangeRequest(services.approvals, key, options);
    return withdrawn instanceof Replayed ? withdrawn : present(withdrawn);
  },
});
