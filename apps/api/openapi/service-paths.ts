import { z } from 'zod';
import { httpError, Unauthorized } from '#http/errors.js';
import { METRICS_PATH } from '#http/metrics/metrics-page.js';
import { exampleCounts, healthCounts, presentCounts } from '../fields/health.js';
import { malformedQuery, named } from './errors.js';
import { errorHeader, headerRefs } from './headers.js';
import { type JsonSchema, type SchemaBook, schemaRef } from './json-schema.js';
import { DOCS_PATH, DOCUMENT_PATH } from './paths.js';
import { COUNTED, EVERYWHERE, jsonContent } from './responses.js';
import type { Answer, ApiDocument, ApiOperation, MediaType } from './types.js';

const upOrDown = z.enum(['up', 'down']);

const health = z
  .strictObject({ status: z.literal('ok') })
  .meta({ id: 'Health', description: 'The process is alive.', examples: [{ status: 'ok' }] });

const unknownCounts = presentCounts(undefined);
const isReady = { status: 'ready', database: 'up', redis: 'up' };

const isNotReady = { status: 'not ready', database: 'down', redis: 'up' };

const readiness = z
  .strictObject({
    status: z.enum(['ready', 'not ready']).meta({ description: 'Whether it can do its work.' }),
    database: upOrDown.meta({ description: 'Without it, it cannot.' }),
    redis: upOrDown.meta({ description: 'Without it, mails and background work wait.' }),
    details: z.strictObject(healthCounts).meta({
      description:
        'Of the whole service, counted up to 1000. They change no status: the process works while no worker lives.',
    }),
  })
  .meta({ id: 'Readiness', examples: [{ ...isReady, details: exampleCounts }] });

const RATE_LIMITED = { 429: { $ref: '#/components/responses/TooManyRequests' } };

const answer = (description: string, content: Readonly<Record<string, MediaType>>): Answer => ({
  description,
  headers: headerRefs(...EVERYWHERE),
  content,
});
const counted = (description: string, content: Readonly<Record<string, MediaType>>): Answer => ({
  ...answer(description, content),
  headers: headerRefs(...COUNTED),
});

const textual = (type: string, description: string) => ({
  [type]: { schema: { type: 'string', description } as const },
});

const withCodes = (described: Answer, codes: Parameters<typeof errorHeader>[0]): Answer => ({
  ...described,
  headers: { ...described.headers, ...errorHeader(codes) },
});

const refusal = (error: Parameters<typeof named>[1], schema: JsonSchema): Answer => {
  const { body, code } = named('refused', error);
  return withCodes(answer(error.message, jsonContent(schema, { example: body })), [code]);
};

/** It may have any query. */
const withBadFraming = (responses: ApiOperation['responses']): ApiOperation['responses'] => ({
  ...responses,
  400: refusal(httpError('bad-framing'), schemaRef('DomainError')),
});

/** They take no query. */
const withMalformed = (responses: ApiOperation['responses']): ApiOperation['responses'] => ({
  ...responses,
  400: withCodes(
    counted('The request has a query.', jsonContent(schemaRef('ValidationError'), { example: malformedQuery.body })),
    ['malformed', 'bad-framing'],
  ),
});

interface ServiceOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: ApiOperation['security'];
  readonly responses: ApiOperation['responses'];
}

const get = ({ operationId, summary, security = [], ...rest }: ServiceOperation): { get: ApiOperation } => ({
  get: { operationId, tags: ['Operations'], summary, security, ...rest },
});

const metrics = () =>
  get({
    operationId: 'metrics',
    summary: 'Figures for Prometheus',
    description:
      'For callers with the token of `METRICS_TOKEN`; where none is set, for callers at private addresses that came by no proxy.',
    security: [{}, { metrics: [] }],
    responses: withBadFraming({
      200: answer('In the text format of Prometheus.', textual('text/plain', 'One sample a line.')),
      401: refusal(new Unauthorized('No token, or a wrong one.'), schemaRef('UnauthorizedError')),
      403: refusal(httpError('metrics-private'), schemaRef('DomainError')),
    }),
  });

/** The routes that are no endpoints. */
export function servicePaths(book: SchemaBook): ApiDocument['paths'] {
  const ready = book.ofAnswer(readiness);
  return {
    '/healthz': get({
      operationId: 'healthz',
      summary: 'Whether the process is alive',
      responses: withBadFraming({
        200: answer('It is.', jsonContent(book.ofAnswer(health), { example: { status: 'ok' } })),
      }),
    }),
    '/readyz': get({
      operationId: 'readyz',
      summary: 'Whether the process can do its work',
      description:
        'It can without Redis: mails and background work wait then, requests do not. What is not known in time is `unknown`.',
      responses: withBadFraming({
        200: answer('It can.', jsonContent(ready, { example: { ...isReady, details: exampleCounts } })),
        503: answer('It cannot.', jsonContent(ready, { example: { ...isNotReady, details: unknownCounts } })),
      }),
    }),
    [METRICS_PATH]: metrics(),
    [DOCUMENT_PATH]: get({
      operationId: 'openapi',
      summary: 'This document',
      responses: withMalformed({
        200: counted('OpenAPI 3.1.', jsonContent({ type: 'object', additionalProperties: true })),
        ...RATE_LIMITED,
      }),
    }),
    [DOCS_PATH]: get({
      operationId: 'docs',
      summary: 'This document as a page, to read and to try out',
      responses: withMalformed({
        200: counted('A page.', textual('text/html', 'With scripts of this server only.')),
        ...RATE_LIMITED,
      }),
    }),
  };
}
