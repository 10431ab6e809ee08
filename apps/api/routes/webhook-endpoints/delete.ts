import { z } from 'zod';
import { deleteEndpoint } from '#webhooks/manage-endpoints.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { changeWebhook, type WebhookChange } from './change-webhook.js';
import { endpointId } from './webhook-endpoint.js';

const DELETED = 'Webhook endpoint deleted';

export const webhookEndpointDelete = endpoint({
  method: 'delete',
  path: '/webhook-endpoints/:id',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: 'A request that is under way may still arrive.',
  access: 'account',
  params: z.object({ id: endpointId }),
  answer: messageOnly(DELETED),
  refusals: ['webhook-endpoint-not-found'],
  handle(request, services) {
    const change: WebhookChange = { type: 'webhook-deleted', id: request.params.id, change: deleteEndpoint };
    return changeWebhook(request, services, change, () => ({ message: DELETED }));
  },
});
