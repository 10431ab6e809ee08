import { z } from 'zod';
import { answerOnce } from '#idempotency/idempotency.js';
import { placementOf } from '#platform/database/placement.js';
import { readEndpoint } from '#webhooks/endpoint-rows.js';
import { changeEndpoint } from '#webhooks/manage-endpoints.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import {
  endpointChangesBody,
  endpointId,
  faultsOfTarget,
  keyOf,
  presentEndpoint,
  webhookEndpoint,
} from './webhook-endpoint.js';

const UPDATED = 'Webhook endpoint updated';

export const webhookEndpointUpdate = endpoint({
  method: 'patch',
  path: '/webhook-endpoints/:id',
  tag: 'Webhooks',
  summary: 'Change a webhook endpoint',
  description:
    'Only what is given changes. With other types or another mode it goes on after its `cursor`, so it may get events again that it took beyond it; with another address it tries at once.',
  access: 'account',
  status: 200,
  params: z.object({ id: endpointId }),
  body: endpointChangesBody,
  faultsOf: faultsOfTarget,
  answer: dataWith(webhookEndpoint, UPDATED),
  refusals: ['webhook-endpoint-unknown'],
  handle({ params, body, caller, call }, { database }) {
    const { accountId } = caller.account;
    const key = keyOf(accountId, params.id);
    return answerOnce(placementOf(database, accountId), call.idempotency, {
      async use(tx) {
        await changeEndpoint(tx, { ...key, cause: call.cause }, body);
        return presentEndpoint(tx, await readEndpoint(tx, key));
      },
      present: (data) => ({ data, message: UPDATED }),
    });
  },
});
