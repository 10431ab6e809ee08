import type { CallerRole } from '#accounts/access/caller-role.js';
import type { Access } from '#http/authenticate.js';
import { rateLimitOf } from '#http/limits/rate-limits.js';
import { deprecationText } from '../deprecation.js';
import type { Endpoint } from '../endpoint.js';
import { type EndpointName, leastRoleOf } from '../roles.js';
import { exampleOf } from './examples.js';
import type { SchemaBook } from './json-schema.js';
import { parametersOf } from './parameters.js';
import { jsonContent, linesContent, responsesOf } from './responses.js';
import type { ApiOperation } from './types.js';

const bearer = { bearer: [] } as const;
const basic = { basic: [] } as const;

const security: Readonly<Record<Access, ApiOperation['security']>> = {
  public: [],
  bearer: [bearer],
  account: [bearer, basic],
  admin: [bearer, basic],
};

const PROOF =
  'A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`.';

function descriptionOf(
  { description, access, limit, freshProof, deprecated }: Endpoint,
  leastRole: CallerRole | undefined,
): string | undefined {
  const rule = limit && rateLimitOf(limit);
  const sentences = [
    deprecated && deprecationText(deprecated),
    description,
    access === 'admin' ? 'Only admin accounts may do this.' : undefined,
    freshProof && PROOF,
    leastRole && `Least role: \`${leastRole}\`.`,
    rule && `At most ${rule.requests} requests in ${rule.windowSeconds} seconds from one address.`,
  ];
  const said = sentences.filter((sentence) => sentence !== undefined);
  return said.length === 0 ? undefined : said.join(' ');
}

function requestBodyOf({ body, lines }: Endpoint, book: SchemaBook): Pick<ApiOperation, 'requestBody'> {
  if (lines !== undefined) {
    const schema = book.ofRequest(lines);
    return { requestBody: { required: true, content: linesContent(schema, exampleOf(schema, book.components)) } };
  }
  if (body === undefined) return {};
  const schema = book.ofRequest(body);
  // The API treats an absent body as an empty object.
  const required = !body.safeParse({}).success;
  return { requestBody: { required, content: jsonContent(schema, { example: exampleOf(schema, book.components) }) } };
}

export function operationOf(operationId: string, endpoint: Endpoint, book: SchemaBook): ApiOperation {
  const leastRole = leastRoleOf(operationId as EndpointName);
  const description = descriptionOf(endpoint, leastRole);
  const parameters = parametersOf(endpoint, book);
  return {
    operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(description === undefined ? {} : { description }),
    ...(endpoint.deprecated === undefined ? {} : { deprecated: true }),
    ...(leastRole && { 'x-least-role': leastRole }),
    security: security[endpoint.access],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(endpoint, book),
    responses: responsesOf(endpoint, book, leastRole),
  };
}
