/** Every refusal of HTTP itself, before or beside the rules of a route, with its status and its usual text. */
export const httpRefusals = {
  malformed: [400, 'every fault, with the path of its field'],
  'bad-framing': [400, 'The request ends, or names its host, in a way that could be read in two ways'],
  'body-unreadable': [400, 'The request body cannot be read'],
  'path-encoding': [400, 'The path is not properly percent-encoded'],
  unauthorized: [401, 'Unauthorized'],
  'metrics-private': [403, 'Metrics are for callers at private addresses'],
  'route-not-found': [404, 'There is no such route'],
  'method-not-allowed': [405, 'Use GET'],
  'not-acceptable': [406, 'Accept must allow text/event-stream'],
  'request-timeout': [408, 'no body'],
  'file-changed': [412, 'The file is another one than the request names'],
  'too-large': [413, 'The request body must not be larger than 256 KiB'],
  'not-json': [415, 'The Content-Type must be application/json'],
  'not-lines': [415, 'The Content-Type must be application/x-ndjson'],
  'encoding-unsupported': [415, 'The content encoding is not supported'],
  'charset-unsupported': [415, 'The charset is not supported'],
  'no-such-part': [416, 'The file has no such part'],
  'expectation-failed': [417, 'no body'],
  'headers-too-large': [431, 'no body'],
  'internal-error': [500, 'Internal server error'],
} as const satisfies Record<string, readonly [status: number, text: string]>;

export type HttpRefusalCode = keyof typeof httpRefusals;
