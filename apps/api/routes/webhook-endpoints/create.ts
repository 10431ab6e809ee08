import { withTx } from '#platform/database/database.js';
import { placementOf } from '#platform/database/placement.js';
import { usualMode } from '#webhooks/delivery-plan.js';
import { readEndpoint } from '#webhooks/endpoint-rows.js';
import { createEndpoint } from '#webhooks/manage-endpoints.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import {
  faultsOfTarget,
  newEndpointBody,
  newWebhookEndpoint,
  presentEndpoint,
  secretBoxOf,
} from './webhook-endpoint.js';

const MADE = 'Webhook endpoint made. The secret is shown only this once';

export const webhookEndpointCreate = endpoint({
  method: 'post',
  path: '/webhook-endpoints',
  tag: 'Webhooks',
  summary: 'Make an endpoint that gets the events of the account',
  description:
    'It begins at the end of the event log. Its requests are signed by Standard Webhooks 1.0.0. At most 10 for an account.',
  access: 'account',
  status: 201,
  body: newEndpointBody,
  faultsOf: faultsOfTarget,
  carriesSecret: true,
  answer: dataWith(newWebhookEndpoint, MADE),
  refusals: ['too-many-webhook-endpoints', 'webhooks-off'],
  async handle({ body, caller, call }, services) {
    const { accountId } = caller.account;
    const { url, types, description = null } = body;
    const mode = body.mode ?? usualMode(types);
    const box = secretBoxOf(services);
    const data = await withTx(placementOf(services.database, accountId), async (tx) => {
      const made = { accountId, cause: call.cause, url, types, mode, description };
      const { key, secret } = await createEndpoint(tx, box, made);
      return { ...(await presentEndpoint(tx, await readEndpoint(tx, key))), secret };
    });
    return { data, message: MADE };
  },
});
