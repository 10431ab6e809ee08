import { usualMode } from '#webhooks/delivery-modes.js';
import { createEndpoint } from '#webhooks/manage-endpoints.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { changeWebhook, type WebhookChange } from './change-webhook.js';
import { faultsOfTarget, newEndpointBody, newWebhookEndpoint, secretBoxOf } from './webhook-endpoint.js';

const MADE = 'Webhook endpoint made. The secret is shown only this once';

export const webhookEndpointCreate = endpoint({
  method: 'post',
  path: '/webhook-endpoints',
  tag: 'Webhooks',
  summary: 'Make an endpoint that gets the events of the account',
  description:
    'It begins at the end of the event log. Its requests are signed by Standard Webhooks 1.0.0. The account gets a mail. At most 10 for an account.',
  access: 'account',
  freshProof: true,
  status: 201,
  body: newEndpointBody,
  faultsOf: faultsOfTarget,
  carriesSecret: true,
  answer: dataWith(newWebhookEndpoint, MADE),
  refusals: ['too-many-webhook-endpoints', 'webhooks-off', 'password-needed', 'current-password-wrong'],
  handle(request, services) {
    const { url, types, description = null, password, mode = null } = request.body;
    const box = secretBoxOf(services);
    const change: WebhookChange = {
      type: 'webhook-created',
      takesPassword: true,
      password,
      setsAddress: true,
      change: (tx, { accountId, cause }) =>
        createEndpoint(tx, box, { accountId, cause, url, types, mode: mode ?? usualMode(types), description }),
    };
    return changeWebhook(request, services, change, (data, secret) => ({ data: { ...data, secret }, message: MADE }));
  },
});
