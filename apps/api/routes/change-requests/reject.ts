import { z } from 'zod';
import type { ChangeRequest } from '#approvals/change-request.js';
import { rejectChangeRequest } from '#approvals/decide-request.js';
import { lookUpOnce } from '#idempotency/idempotency.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { deciderOf } from '../../guards/approval.js';
import {
  changeRequestAnswer,
  changeRequestPath,
  presentRequest,
  requestKeyOf,
  requestReason,
} from './change-request.js';

const REJECTED = 'Change request rejected';

const present = (request: ChangeRequest) => ({ data: presentRequest(request), message: REJECTED });

export const changeRequestReject = endpoint({
  method: 'post',
  path: '/change-requests/:id/reject',
  tag: 'Approvals',
  summary: 'Reject a change request',
  description: 'By another person than its maker, who has logged in.',
  access: 'account',
  status: 200,
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
  async handle({ params, body: { reason }, caller, call, cause }, services) {
    const found = await lookUpOnce(services.database.shared, call.idempotency, async () => {
      const key = await requestKeyOf(params, { caller, cause }, services);
      return { key, decider: deciderOf(caller, key.accountId) };
    });
    if (found instanceof Replayed) return found;
    const rejected = await rejectChangeRequest(services.approvals, found.key, {
      ...found.decider,
      call,
      present,
      reason,
    });
    return rejected instanceof Replayed ? rejected : present(rejected);
  },
});
