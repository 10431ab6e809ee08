import { z } from 'zod';
import type { ChangeRequest } from '#approvals/change-request.js';
import { rejectChangeRequest } from '#approvals/decide-request.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { changeRequestAnswer, changeRequestPath, decisionOf, presentRequest, requestReason } from './change-request.js';

const REJECTED = 'Change request rejected';

const present = (request: ChangeRequest) => ({ data: presentRequest(request), message: REJECTED });

const PATH = '/change-requests/:id/reject';
const ROUTE = `POST ${PATH}`;

export const changeRequestReject = endpoint({
  method: 'post',
  path: PATH,
  tag: 'Approvals',
  summary: 'Reject a change request',
  description: 'By another person than its maker, who has logged in.',
  access: 'account',
  params: changeRequestPath,
  body: z
    .strictObject({ reason: requestReason })
    .meta({ id: 'RejectChangeRequest', examples: [{ reason: 'The match is still running' }] }),
  answer: dataWith(changeRequestAnswer, REJECTED),
  refusals: [
    'change-request-not-found',
    'people-approve',
    'own-change-request',
    'other-side-approves',
    'change-request-decided',
    'change-request-expired',
  ],
  async handle(request, services) {
    const found = await decisionOf(request, ROUTE, services);
    if (found instanceof Replayed) return found;
    const { call, body } = request;
    const rejection = { ...found.decider, ...body, call, present };
    const rejected = await rejectChangeRequest(services.approvals, found.key, rejection);
    return rejected instanceof Replayed ? rejected : present(rejected);
  },
});
