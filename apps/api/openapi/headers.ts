import { GIVEN_REQUEST_ID, REQUEST_ID_HEADER } from '#http/access-log.js';
import type { ErrorCode } from '#http/errors.js';
import { ERROR_HEADER, ERROR_OPERATION_HEADER } from '#http/errors.js';
import { DEPRECATION_HEADER, SUNSET_HEADER } from '../deprecation.js';
import { AS_OF_HEADER } from '../handler.js';
import { KEY_HEADER, REPLAYED_HEADER } from '../idempotency-key.js';
import { API_VERSION, VERSION_HEADER } from '../version.js';
import type { JsonSchema } from './json-schema.js';
import type { Header, Parameter, Reference } from './types.js';

const text = (example: string): JsonSchema => ({ type: 'string', examples: [example] });

export const headers: Readonly<Record<string, Header>> = {
  [REQUEST_ID_HEADER]: {
    description:
      'By what the request is found in the logs. A request may bring one of its own: up to 100 letters, digits and `_.:-`.',
    schema: text('5f0c1c0e-3a8b-4d6c-9a51-2f6f0f9d7a11'),
  },
  [VERSION_HEADER]: {
    description: 'The date of the newest change of the API: docs/changelog.md.',
    schema: text(API_VERSION),
  },
  'RateLimit-Policy': {
    description: 'The limits that the request counts against: `q` requests in `w` seconds.',
    schema: text('"account";q=20000;w=10'),
  },
  RateLimit: {
    description: 'What is left of each: `r` requests, for `t` seconds.',
    schema: text('"account";r=19999;t=10'),
  },
  'Retry-After': {
    description: 'In so many seconds it makes sense to try again.',
    schema: { type: 'integer', minimum: 1, examples: [1] },
  },
  [REPLAYED_HEADER]: {
    description: `\`true\`: a request with this ${KEY_HEADER} was answered before. This is its answer, and nothing was done again.`,
    schema: { type: 'string', const: 'true' },
  },
  [AS_OF_HEADER]: {
    description:
      'A position in the event log of the account: the answer shows exactly what the events up to it have made. Not on lists of several accounts.',
    schema: text('AQAAAAAAAAAHAAAAAAAAEmcP2Zb5uXE'),
  },
  'Content-Disposition': {
    description: 'A name for the file.',
    schema: text('attachment; filename="transactions-2026-01-01-2026-02-01-5.csv"'),
  },
  'Content-Range': { description: 'Which part it is.', schema: text('bytes 1000-1999/6941733') },
  ETag: {
    description: 'The SHA-256 of the whole file, for `If-Range` and `If-None-Match`.',
    schema: text('"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"'),
  },
  'Repr-Digest': {
    description: 'The SHA-256 of the whole file (RFC 9530).',
    schema: text('sha-256=:LCa0a2j/xo/5m0U8HTBBNBNCLXBkg7+g+YpeiGJm564=:'),
  },
  [DEPRECATION_HEADER]: {
    description: 'Since when the operation is deprecated, in seconds since 1970 (RFC 9745).',
    schema: text('@1801353600'),
  },
  [SUNSET_HEADER]: {
    description: 'Until when it works (RFC 8594).',
    schema: text('Sun, 31 Jan 2027 00:00:00 GMT'),
  },
  [ERROR_OPERATION_HEADER]: {
    description:
      'The `operation_id` of the operation that is refused, percent-encoded; absent where the batch is refused as a whole.',
    schema: text('replace%20the%20offer'),
  },
  'WWW-Authenticate': { description: 'The scheme to use.', schema: text('Bearer') },
};

export const headerRefs = (...names: readonly string[]): Readonly<Record<string, Reference>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Of a refusal that has one of these codes. */
export const errorHeader = (codes: readonly (ErrorCode | undefined)[]): Readonly<Record<string, Header>> => ({
  [ERROR_HEADER]: {
    description: 'Which refusal it is, for programs.',
    schema: { type: 'string', enum: [...new Set(codes.filter((code) => code !== undefined))].sort() },
  },
});

export const keyParameter: Parameter = {
  name: KEY_HEADER,
  in: 'header',
  description:
    'The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]{1,255}$' },
};

export const requestIdParameter: Parameter = {
  name: REQUEST_ID_HEADER,
  in: 'header',
  description:
    'What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced.',
  schema: { type: 'string', pattern: GIVEN_REQUEST_ID.source },
};

export const lastEventIdParameter: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The `id` of the last frame that the reader has got: the stream goes on behind it. It wins over `after`.',
  schema: { type: 'string' },
};
