import { z } from 'zod';
import { disableEndpoint } from '#webhooks/manage-endpoints.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { changeWebhook, type WebhookChange } from './change-webhook.js';
import { endpointId, webhookEndpoint } from './webhook-endpoint.js';

const DISABLED = 'Webhook endpoint disabled';

export const webhookEndpointDisable = endpoint({
  method: 'post',
  path: '/webhook-endpoints/:id/disable',
  tag: 'Webhooks',
  summary: 'Send nothing to a webhook endpoint until it is enabled',
  description:
    'No event is lost: `POST …/enable` goes on where it ended. A request that is under way may still arrive, and comes again then. An endpoint that is disabled already stays as it is.',
  access: 'account',
  params: z.object({ id: endpointId }),
  answer: dataWith(webhookEndpoint, DISABLED),
  refusals: ['webhook-endpoint-not-found'],
  handle(request, services) {
    const change: WebhookChange = {
      type: 'webhook-changed',
      act: 'disabled',
      id: request.params.id,
      change: disableEndpoint,
    };
    return changeWebhook(request, services, change, (data) => ({ data, message: DISABLED }));
  },
});
