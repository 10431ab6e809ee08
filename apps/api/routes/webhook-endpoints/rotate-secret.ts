import { z } from 'zod';
import { rotateSecret } from '#webhooks/manage-endpoints.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { changeWebhook, type WebhookChange } from './change-webhook.js';
import { endpointId, newWebhookEndpoint, password, secretBoxOf } from './webhook-endpoint.js';

const ROTATED = 'Secret rotated. The new one is shown only this once';

export const webhookEndpointRotateSecret = endpoint({
  method: 'post',
  path: '/webhook-endpoints/:id/rotate-secret',
  tag: 'Webhooks',
  summary: 'Give an endpoint a new secret',
  description: 'For 24 hours its requests have two signatures, by the new secret and by the one before.',
  access: 'account',
  freshProof: true,
  params: z.object({ id: endpointId }),
  body: z.strictObject({ password }).meta({ id: 'RotateWebhookSecret', examples: [{}] }),
  carriesSecret: true,
  answer: dataWith(newWebhookEndpoint, ROTATED),
  refusals: ['webhook-endpoint-not-found', 'webhooks-off', 'password-needed', 'current-password-wrong'],
  handle(request, services) {
    const box = secretBoxOf(services);
    const change: WebhookChange = {
      type: 'webhook-changed',
      act: 'secret-rotated',
      id: request.params.id,
      takesPassword: true,
      password: request.body.password,
      change: (tx, context) => rotateSecret(tx, box, context, new Date()),
    };
    return changeWebhook(request, services, change, (data, secret) => ({
      data: { ...data, secret },
      message: ROTATED,
    }));
  },
});
