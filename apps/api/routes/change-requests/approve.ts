import { z } from 'zod';
import { answerWith } from '#accounts/accounts-context.js';
import type { ChangeRequest, ChangeRequestKey } from '#approvals/change-request.js';
import { readChangeRequest } from '#approvals/change-request-rows.js';
import { approveChangeRequest, type Decider } from '#approvals/decide-request.js';
import { approvePreferences } from '#approvals/preferences-requests.js';
import { assertWanted } from '#http/answer.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { type EndpointRequest, endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import type { ApiServices } from '../../services.js';
import { changeRequestAnswer, changeRequestPath, decisionOf, presentMoved, presentRequest } from './change-request.js';
import { requestedOperation, requestedOperationOf } from './requested-operation.js';

const TEXTS = ['Change request executed', 'Change request approved', 'Change request failed'] as const;
const [EXECUTED, APPROVED, FAILED] = TEXTS;

const PATH = '/change-requests/:id/approve';
const ROUTE = `POST ${PATH}`;

const body = z
  .strictObject({
    revision: z.int().min(0).meta({ description: 'Of the request, as it was shown.' }),
  })
  .meta({ id: 'ApproveChangeRequest', examples: [{ revision: 7 }] });

type Request = EndpointRequest<typeof body, undefined, typeof changeRequestPath, 'account'>;

const messageOf = ({ state }: ChangeRequest) => {
  if (state === 'pending') return APPROVED;
  return state === 'failed' ? FAILED : EXECUTED;
};

const present = (request: ChangeRequest) => ({ data: presentRequest(request), message: messageOf(request) });

async function approve(
  { body: { revision }, caller, call, cause }: Request,
  { key, decider }: { readonly key: ChangeRequestKey; readonly decider: Decider },
  services: ApiServices,
): Promise<object> {
  const { operation } = await readChangeRequest(services.database.of(key.accountId), key);
  const given = requestedOperation.parse(operation);
  if (given.type === 'update_preferences') {
    const { approvals } = given;
    return answerWith({ ...services.accounts, cause }, call.idempotency, {
      use: (context) => approvePreferences(context, key, { ...decider, approvals, revision }),
      present,
    });
  }
  const approval = {
    ...decider,
    call,
    operation: requestedOperationOf(given, 'asked'),
    revision,
    goOn: () => assertWanted(call.deadline),
    present,
    showMovement: presentMoved,
  };
  const approved = await services.inApprovalTurn(caller.account, () =>
    approveChangeRequest(services.approvals, key, approval),
  );
  return approved instanceof Replayed ? approved : present(approved);
}

export const changeRequestApprove = endpoint({
  method: 'post',
  path: PATH,
  tag: 'Approvals',
  summary: 'Approve a change request: the operation is done in the same transaction',
  description:
    'By another person than its maker, who has logged in. It is done only when every user still moves as shown; else the answer is 409 with a fresh `preview`, and the request stays pending.',
  access: 'account',
  params: changeRequestPath,
  body,
  answer: dataWith(changeRequestAnswer, ...TEXTS),
  refusals: [
    'change-request-not-found',
    'people-approve',
    'own-change-request',
    'other-side-approves',
    'change-request-decided',
    'change-request-expired',
    'wager-changed',
  ],
  async handle(request, services) {
    const found = await decisionOf(request, ROUTE, services);
    if (found instanceof Replayed) return found;
    return (await approve(request, found, services)) as z.output<
      ReturnType<typeof dataWith<typeof changeRequestAnswer>>
    >;
  },
});
