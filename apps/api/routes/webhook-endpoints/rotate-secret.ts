import { z } from 'zod';
import { withTx } from '#platform/database/database.js';
import { placementOf } from '#platform/database/placement.js';
import { readEndpoint } from '#webhooks/endpoint-rows.js';
import { rotateSecret } from '#webhooks/manage-endpoints.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { endpointId, keyOf, newWebhookEndpoint, presentEndpoint, secretBoxOf } from './webhook-endpoint.js';

const ROTATED = 'Secret rotated. The new one is shown only this once';

export const webhookEndpointRotateSecret = endpoint({
  method: 'post',
  path: '/webhook-endpoints/:id/rotate-secret',
  tag: 'Webhooks',
  summary: 'Give an endpoint a new secret',
  description: 'For 24 hours its requests have two signatures, by the new secret and by the one before.',
  access: 'account',
  status: 200,
  params: z.object({ id: endpointId }),
  carriesSecret: true,
  answer: dataWith(newWebhookEndpoint, ROTATED),
  refusals: ['webhook-endpoint-unknown', 'webhooks-off'],
  async handle({ params, caller, call }, services) {
    const { accountId } = caller.account;
    const key = keyOf(accountId, params.id);
    const box = secretBoxOf(services);
    const data = await withTx(placementOf(services.database, accountId), async (tx) => {
      const { secret } = await rotateSecret(tx, box, { ...key, cause: call.cause }, new Date());
      return { ...(await presentEndpoint(tx, await readEndpoint(tx, key))), secret };
    });
    return { data, message: ROTATED };
  },
});
