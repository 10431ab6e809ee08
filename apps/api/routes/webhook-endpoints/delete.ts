import { z } from 'zod';
import { answerOnce } from '#idempotency/idempotency.js';
import { placementOf } from '#platform/database/placement.js';
import { deleteEndpoint } from '#webhooks/manage-endpoints.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { endpointId, keyOf } from './webhook-endpoint.js';

const DELETED = 'Webhook endpoint deleted';

export const webhookEndpointDelete = endpoint({
  method: 'delete',
  path: '/webhook-endpoints/:id',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: 'A request that is under way may still arrive.',
  access: 'account',
  status: 200,
  params: z.object({ id: endpointId }),
  answer: messageOnly(DELETED),
  refusals: ['webhook-endpoint-unknown'],
  handle({ params, caller, call }, { database }) {
    const { accountId } = caller.account;
    return answerOnce(placementOf(database, accountId), call.idempotency, {
      use: (tx) => deleteEndpoint(tx, { ...keyOf(accountId, params.id), cause: call.cause }),
      present: () => ({ message: DELETED }),
    });
  },
});
