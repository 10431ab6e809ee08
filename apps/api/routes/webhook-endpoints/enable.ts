import { z } from 'zod';
import { lookUpOnce } from '#idempotency/idempotency.js';
import { findReplay, Replayed } from '#idempotency/stored-answers.js';
import { Refusal } from '#platform/errors/refusal.js';
import { enableEndpoint } from '#webhooks/manage-endpoints.js';
import { ANSWER_WITHIN_MS, type WebhookResult } from '#webhooks/sender.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { changeWebhook, type WebhookChange } from './change-webhook.js';
import { testEndpoint } from './test-endpoint.js';
import { endpointId, keyOf, webhookEndpoint } from './webhook-endpoint.js';

const ENABLED = 'Webhook endpoint enabled';

function assertTaken({ status, error }: WebhookResult): void {
  if (error === null) return;
  const details = status === null ? { test_error: error } : { test_error: error, test_status: String(status) };
  throw new Refusal('webhook-test-failed', { details });
}

export const webhookEndpointEnable = endpoint({
  method: 'post',
  path: '/webhook-endpoints/:id/enable',
  tag: 'Webhooks',
  summary: 'Go on with a disabled or failing webhook endpoint',
  description:
    'Sends a `ping` first. When it is taken, delivery goes on where it ended, at once; otherwise the endpoint stays as it is, and `test_error` says why.',
  access: 'account',
  waitMs: () => ANSWER_WITHIN_MS,
  params: z.object({ id: endpointId }),
  answer: dataWith(webhookEndpoint, ENABLED),
  refusals: ['webhook-endpoint-not-found', 'webhook-test-failed', 'too-many-webhook-tests', 'webhooks-off'],
  async handle(request, services) {
    const { accountId } = request.caller.account;
    const key = keyOf(accountId, request.params.id);
    const tables = services.database.of(accountId);
    const { idempotency } = request.call;
    const replay = idempotency && (await findReplay(tables, idempotency));
    if (replay !== undefined) return replay;
    const tested = await lookUpOnce(tables, idempotency, async () => {
      const result = await testEndpoint(services, key);
      assertTaken(result);
      return result;
    });
    if (tested instanceof Replayed) return tested;
    const change: WebhookChange = {
      type: 'webhook-changed',
      act: 'enabled',
      id: request.params.id,
      change: enableEndpoint,
    };
    return changeWebhook(request, services, change, (data) => ({ data, message: ENABLED }));
  },
});
