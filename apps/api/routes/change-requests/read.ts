import { z } from 'zod';
import type { ChangeRequest, OperationMovement } from '#approvals/change-request.js';
import { readChangeRequest } from '#approvals/change-request-rows.js';
import { isAsShown } from '#approvals/decide-request.js';
import { findMovement, lockTarget } from '#approvals/movement.js';
import { assertWanted } from '#http/answer.js';
import { withTx } from '#platform/database/database.js';
import { type EndpointCall, endpoint } from '../../endpoint.js';
import type { ApiServices } from '../../services.js';
import { changeRequestPath, detailedRequest, presentMoved, presentRequest, requestKeyOf } from './change-request.js';
import { requestedOperation, requestedOperationOf } from './requested-operation.js';

const PATH = '/change-requests/:id';
const MOST_BETS = 20_000;

/** What a pending request would move now. */
async function movementNow(
  { accountId, state, operation: stored }: ChangeRequest,
  call: EndpointCall,
  { database }: Pick<ApiServices, 'database'>,
): Promise<OperationMovement | undefined> {
  const given = requestedOperation.parse(stored);
  if (state !== 'pending' || given.type === 'update_preferences') return undefined;
  const operation = requestedOperationOf(given, 'asked');
  const options = { goOn: () => assertWanted(call.deadline), mostBets: MOST_BETS };
  // The balance of a withdrawal is one row: its lock is a moment.
  if (operation.type === 'withdraw')
    return withTx(database.of(accountId), async (tx) => {
      const user = (await lockTarget(tx, accountId, operation))?.user;
      return user && findMovement(tx, accountId, { operation, user }, options);
    });
  const read = { operation, user: undefined };
  return withTx(database.of(accountId), (tx) => findMovement(tx, accountId, read, options), 'RepeatableRead');
}

export const changeRequestRead = endpoint({
  method: 'get',
  path: PATH,
  tag: 'Approvals',
  summary: 'Read a change request, with what it moved then and would move now',
  access: 'account',
  params: changeRequestPath,
  answer: z.strictObject({ data: detailedRequest }),
  refusals: ['change-request-not-found'],
  async handle({ params, caller, cause, call }, services) {
    const key = await requestKeyOf(params, { caller, cause, route: `GET ${PATH}` }, services);
    const request = await readChangeRequest(services.database.of(key.accountId), key);
    const now = await services.inPreviewTurn(caller.account, () => movementNow(request, call, services));
    return {
      data: {
        ...presentRequest(request),
        preview: request.shown === undefined ? null : presentMoved(request.shown),
        now: now === undefined ? null : presentMoved(now),
        as_shown: now === undefined ? null : isAsShown(request, now),
      },
    };
  },
});
