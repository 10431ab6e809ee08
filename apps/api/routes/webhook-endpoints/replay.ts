import { z } from 'zod';
import { decodePosition, type EventPosition } from '#events/event-position.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import { replayEndpoint } from '#webhooks/manage-endpoints.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { changeWebhook, type WebhookChange } from './change-webhook.js';
import { endpointId, webhookEndpoint } from './webhook-endpoint.js';

const REPLAYED = 'Webhook endpoint goes on after this cursor';

/** Null: before the first event. A cursor of another account is as wrong as any other text. */
function positionOf(after: string | null, accountId: bigint): EventPosition | undefined {
  if (after === null) return undefined;
  const position = decodePosition(after);
  if (position === undefined || position.accountId !== accountId) throw new ValidationError(['after must be a cursor']);
  return position;
}

export const webhookEndpointReplay = endpoint({
  method: 'post',
  path: '/webhook-endpoints/:id/replay',
  tag: 'Webhooks',
  summary: 'Go on from another place of the event log',
  description: 'Everything after `after` is sent, again or for the first time. What lies between is not sent.',
  access: 'account',
  params: z.object({ id: endpointId }),
  body: z
    .strictObject({
      after: z.string().nullable().meta({
        description: 'A cursor of the event log; null: from the first event on.',
      }),
    })
    .meta({ id: 'ReplayWebhooks', examples: [{ after: 'AQAAAAAAAAAHAAAAAAAAEmcP2Zb5uXE' }] }),
  answer: dataWith(webhookEndpoint, REPLAYED),
  refusals: ['webhook-endpoint-not-found', 'history-restored'],
  handle(request, services) {
    const change: WebhookChange = {
      type: 'webhook-changed',
      act: 'replayed',
      id: request.params.id,
      change: (tx, context) => replayEndpoint(tx, context, positionOf(request.body.after, context.accountId)),
    };
    return changeWebhook(request, services, change, (data) => ({ data, message: REPLAYED }));
  },
});
