import { z } from 'zod';
import { answerOnce, lookUpOnce } from '#idempotency/idempotency.js';
import { findReplay, Replayed } from '#idempotency/stored-answers.js';
import { ANSWER_WITHIN_MS } from '#webhooks/sender.js';
import { endpoint } from '../../endpoint.js';
import { count, dataWith } from '../../fields/answers.js';
import { attemptError } from './list-attempts.js';
import { testEndpoint } from './test-endpoint.js';
import { endpointId, keyOf } from './webhook-endpoint.js';

const TESTED = 'Webhook endpoint tested';

const testAnswer = z
  .strictObject({
    status: z.int().nullable().meta({ description: 'Of the answer; null: none came.' }),
    duration_ms: count('How long the answer took.'),
    error: attemptError,
  })
  .meta({ id: 'WebhookTest', examples: [{ status: 204, duration_ms: 41, error: null }] });

export const webhookEndpointTest = endpoint({
  method: 'post',
  path: '/webhook-endpoints/:id/test',
  tag: 'Webhooks',
  summary: 'Send a `ping` to a webhook endpoint',
  description:
    'It is signed like an event, and has the type `ping`. The answer of the endpoint is not shown beyond its status.',
  access: 'account',
  waitMs: () => ANSWER_WITHIN_MS,
  params: z.object({ id: endpointId }),
  answer: dataWith(testAnswer, TESTED),
  refusals: ['webhook-endpoint-not-found', 'too-many-webhook-tests', 'webhooks-off'],
  async handle({ params, caller, call }, services) {
    const { accountId } = caller.account;
    const tables = services.database.of(accountId);
    const { idempotency } = call;
    const replay = idempotency && (await findReplay(tables, idempotency));
    if (replay !== undefined) return replay;
    const result = await lookUpOnce(tables, idempotency, () => testEndpoint(services, keyOf(accountId, params.id)));
    if (result instanceof Replayed) return result;
    const { status, durationMs, error } = result;
    return answerOnce(tables, idempotency, {
      use: async () => ({ status, duration_ms: durationMs, error }),
      present: (data) => ({ data, message: TESTED }),
    });
  },
});
