import { z } from 'zod';
import { id, text } from '../fields/answers.js';
import { cursorText, event, eventExample, eventType } from '../routes/events/event.js';
import { exampleOf } from './examples.js';
import type { SchemaBook } from './json-schema.js';
import { jsonContent } from './responses.js';
import type { Answer, ApiOperation, Method, Parameter } from './types.js';

// The requests that the service sends to webhook endpoints, by Standard Webhooks 1.0.0.

const timestamp = text('When it happened.').meta({ format: 'date-time' });
const cursor = cursorText('The endpoint has everything up to here when it takes this message.');

const shortened = z.strictObject({
  seq: z.int().min(1).meta({ description: 'Its number.' }),
  cursor: cursorText('Its position.'),
  type: eventType,
  at: timestamp,
  is_shortened: z.literal(true).meta({ description: 'The event is larger than 20 kB: `GET /events/{seq}` has it.' }),
});

const message = z.strictObject({ type: eventType, timestamp, cursor, data: z.union([event, shortened]) }).meta({
  id: 'WebhookMessage',
  description: 'An event of the log.',
  examples: [{ type: eventExample.type, timestamp: eventExample.at, cursor: eventExample.cursor, data: eventExample }],
});

const ring = z
  .strictObject({
    type: z.literal('events.available'),
    timestamp,
    cursor,
    data: z.strictObject({
      from: cursorText('Where the last one that was taken ended: give it to `GET /events`.'),
      to: cursorText('The last event at that moment.'),
    }),
  })
  .meta({
    id: 'WebhookRing',
    description: 'There are events to read.',
    examples: [
      {
        type: 'events.available',
        timestamp: eventExample.at,
        cursor: eventExample.cursor,
        data: { from: 'AQAAAAAAAAAHAAAAAAAAEmIP2Zb5uXE', to: eventExample.cursor },
      },
    ],
  });

const ping = z
  .strictObject({
    type: z.literal('ping'),
    timestamp,
    data: z.strictObject({ webhook_endpoint_id: id('The endpoint that is tested.') }),
  })
  .meta({
    id: 'WebhookPing',
    description: 'A test.',
    examples: [{ type: 'ping', timestamp: '2026-01-15T20:45:12.123Z', data: { webhook_endpoint_id: 3 } }],
  });

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  description,
  required: true,
  schema: { type: 'string' },
  example,
});

const parameters = [
  header('webhook-id', 'The same for each try: a message that came before can be ignored.', 'evt_7_4711'),
  header('webhook-endpoint', 'The id of the endpoint.', '3'),
  header('webhook-account', 'The id of the account.', '7'),
  header('webhook-timestamp', 'When this try was made, in seconds since 1970. Refuse old ones.', '1768509912'),
  header(
    'webhook-signature',
    'One or more signatures with spaces between them: `v1,` and the base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` with the secret.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const responses: Readonly<Record<string, Answer>> = {
  '2XX': {
    description: 'It is taken. Anything else, and no answer within 15 seconds, is a failure that is tried again.',
  },
  410: { description: 'The endpoint is disabled.' },
  429: {
    description: 'The endpoint gets nothing for a minute, or for as long as `Retry-After` says.',
  },
};

function webhook(schema: z.ZodType, book: SchemaBook, texts: Pick<ApiOperation, 'operationId' | 'summary'>) {
  const content = book.ofAnswer(schema);
  const requestBody = {
    required: true,
    content: jsonContent(content, { example: exampleOf(content, book.components) }),
  };
  return { post: { ...texts, tags: ['Webhooks'] as const, security: [], parameters, requestBody, responses } };
}

export const webhooksOf = (book: SchemaBook): Readonly<Record<string, Partial<Record<Method, ApiOperation>>>> => ({
  event: webhook(message, book, {
    operationId: 'webhookEvent',
    summary: 'An event, to an endpoint that is `ordered` or `keyed`',
  }),
  doorbell: webhook(ring, book, {
    operationId: 'webhookRing',
    summary: 'Events to read, to an endpoint that is a `doorbell`',
  }),
  ping: webhook(ping, book, { operationId: 'webhookPing', summary: 'A test of an endpoint' }),
});
