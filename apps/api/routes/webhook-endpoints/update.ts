import { z } from 'zod';
import { changeEndpoint } from '#webhooks/manage-endpoints.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { changeWebhook, type WebhookChange } from './change-webhook.js';
import { endpointChangesBody, endpointId, faultsOfTarget, webhookEndpoint } from './webhook-endpoint.js';

const UPDATED = 'Webhook endpoint updated';

export const webhookEndpointUpdate = endpoint({
  method: 'patch',
  path: '/webhook-endpoints/:id',
  tag: 'Webhooks',
  summary: 'Change a webhook endpoint',
  description:
    'Only what is given changes. With other types or another mode it goes on after its `cursor`, so it may get events again that it took beyond it; with another address it tries at once, and the account gets a mail. Another description takes no password.',
  access: 'account',
  freshProof: ({ url }) => url !== undefined,
  params: z.object({ id: endpointId }),
  body: endpointChangesBody,
  faultsOf: faultsOfTarget,
  answer: dataWith(webhookEndpoint, UPDATED),
  refusals: ['webhook-endpoint-not-found', 'password-needed', 'current-password-wrong'],
  handle(request, services) {
    const { password, ...changes } = request.body;
    const change: WebhookChange = {
      type: 'webhook-changed',
      act: 'updated',
      id: request.params.id,
      password,
      takesPassword: [changes.url, changes.types, changes.mode].some((given) => given !== undefined),
      setsAddress: changes.url !== undefined,
      change: (tx, context) => changeEndpoint(tx, context, changes),
    };
    return changeWebhook(request, services, change, (data) => ({ data, message: UPDATED }));
  },
});
