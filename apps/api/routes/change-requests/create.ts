import { z } from 'zod';
import type { Caller } from '#accounts/access/authenticator.js';
import { includesRole } from '#accounts/access/caller-role.js';
import { answerWith } from '#accounts/accounts-context.js';
import { makeChangeRequest } from '#approvals/ask.js';
import { askForPreferences } from '#approvals/preferences-requests.js';
import { lookUpOnce } from '#idempotency/idempotency.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { Refusal } from '#platform/errors/refusal.js';
import { type EndpointRequest, endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { approvalRefusals, askedOf, personOf } from '../../guards/approval.js';
import { leastRoleOf } from '../../roles.js';
import type { ApiServices } from '../../services.js';
import { actionOf } from '../admin/correction.js';
import { assertMayPreview, ledgerOf } from '../previews/previewed-operation.js';
import { ownAction } from '../wagers/correct.js';
import { changeRequestAnswer, presentRequest, requestReason } from './change-request.js';
import {
  endpointOf,
  type GivenForLedger,
  type GivenPreferences,
  requestedOperation,
  requestedOperationOf,
} from './requested-operation.js';

const MADE = 'Change request made';

const body = z
  .strictObject({
    operation: requestedOperation,
    reason: requestReason,
    suspend: z.boolean().nullish().meta({
      description:
        'Whether the wager is suspended meanwhile, so that what is shown stays so. It is resumed when the request ends, unless somebody else has suspended it.',
      default: false,
    }),
  })
  .meta({
    id: 'CreateChangeRequest',
    examples: [
      {
        operation: { type: 'update_wager_outcome', reference: 'home-win', outcome: 'win' },
        reason: 'The match has ended 2:1',
        suspend: true,
      },
    ],
  });

type Request = EndpointRequest<typeof body, undefined, undefined, 'account'>;

const present = (request: Parameters<typeof presentRequest>[0]) => ({ data: presentRequest(request), message: MADE });

/** A request takes what its operation takes. */
function assertMayAsk({ type }: GivenForLedger | GivenPreferences, { role }: Caller): void {
  if (!includesRole(role, leastRoleOf(endpointOf[type]) ?? 'owner')) throw new Refusal('role-forbids');
}

const askPreferences = (
  { body: { reason }, caller, cause, call }: Request,
  given: GivenPreferences,
  { accounts }: ApiServices,
) =>
  answerWith({ ...accounts, cause }, call.idempotency, {
    use: (context) =>
      askForPreferences(context, {
        accountId: caller.account.accountId,
        approvals: given.approvals,
        reason,
        maker: personOf(caller),
      }),
    present,
  });

async function askLedger(
  { body: { reason, suspend }, caller, call }: Request,
  given: GivenForLedger,
  services: ApiServices,
) {
  const { accountId: ownId } = caller.account;
  if (given.type !== 'withdraw_user') assertMayPreview(given, caller);
  const accountId =
    given.type === 'withdraw_user'
      ? ownId
      : await lookUpOnce(services.database.shared, call.idempotency, () => ledgerOf(given, caller, services.database));
  if (accountId instanceof Replayed) return accountId;
  const { type: kind, ...fields } = given;
  const guarded = {
    caller,
    call,
    accountId,
    kind,
    given: fields,
    operation: requestedOperationOf(given, 'now'),
    approvals: null,
  };
  const asked = askedOf({
    ...guarded,
    ...('description' in given && kind !== 'withdraw_user' && { action: actionOf(caller, given.description) }),
    ...(given.type === 'correct_wager_outcome' && { action: ownAction(caller.account, given.reason) }),
  });
  const options = { reason, suspend: suspend ?? false, present };
  const made = await services.inApprovalTurn(caller.account, () =>
    makeChangeRequest(services.approvals, asked, options),
  );
  return made instanceof Replayed ? made : present(made);
}

export const changeRequestCreate = endpoint({
  method: 'post',
  path: '/change-requests',
  tag: 'Approvals',
  summary: 'Ask another person to approve an operation',
  description:
    'It takes the role of the route that does the operation. Nothing happens until another person approves it. An operation that the ledger would refuse now is refused.',
  access: 'account',
  status: 201,
  body,
  answer: dataWith(changeRequestAnswer, MADE),
  refusals: ['role-forbids', 'admins-only', ...approvalRefusals],
  async handle(request, services) {
    const { operation } = request.body;
    assertMayAsk(operation, request.caller);
    return operation.type === 'update_preferences'
      ? askPreferences(request, operation, services)
      : askLedger(request, operation, services);
  },
});
