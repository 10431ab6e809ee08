import { z } from 'zod';
import { answerOnce } from '#idempotency/idempotency.js';
import { placementOf } from '#platform/database/placement.js';
import { readEndpoint } from '#webhooks/endpoint-rows.js';
import { disableEndpoint } from '#webhooks/manage-endpoints.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { endpointId, keyOf, presentEndpoint, webhookEndpoint } from './webhook-endpoint.js';

const DISABLED = 'Webhook endpoint disabled';

export const webhookEndpointDisable = endpoint({
  method: 'post',
  path: '/webhook-endpoints/:id/disable',
  tag: 'Webhooks',
  summary: 'Send nothing to a webhook endpoint until it is enabled',
  description:
    'No event is lost: `POST …/enable` goes on where it ended. A request that is under way may still arrive, and comes again then. An endpoint that is disabled already stays as it is.',
  access: 'account',
  status: 200,
  params: z.object({ id: endpointId }),
  answer: dataWith(webhookEndpoint, DISABLED),
  refusals: ['webhook-endpoint-unknown'],
  handle({ params, caller, call }, { database }) {
    const { accountId } = caller.account;
    const key = keyOf(accountId, params.id);
    return answerOnce(placementOf(database, accountId), call.idempotency, {
      async use(tx) {
        await disableEndpoint(tx, { ...key, cause: call.cause });
        return presentEndpoint(tx, await readEndpoint(tx, key));
      },
      present: (data) => ({ data, message: DISABLED }),
    });
  },
});
