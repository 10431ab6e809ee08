import type { Endpoint } from '../endpoint.js';
import { namedEndpoints } from '../endpoints.js';
import { API_VERSION, VERSION_HEADER, VERSION_PATH } from '../version.js';
import { shapes } from './errors.js';
import { headers, keyParameter, requestIdParameter } from './headers.js';
import { createSchemaBook } from './json-schema.js';
import { operationOf } from './operation.js';
import { commonResponses } from './responses.js';
import { servicePaths } from './service-paths.js';
import { tags } from './tags.js';
import type { ApiDocument, ApiOperation, Method } from './types.js';
import { webhooksOf } from './webhooks.js';

const INTRODUCTION = `A multi-tenant, peer-to-peer betting ledger. A business registers an **account**, creates **users** (its bettors) and funds them. Users offer **bets** on **wagers** and accept each other's; a wager's **outcome** settles them into credits and debits.

- JSON in, JSON out: \`Content-Type: application/json\`, at most 256 KiB. Unknown fields and query parameters are refused; empty parameters count as absent. A GET has no body.
- Money and odds are numbers with at most 6 decimals; an account may set fewer for its money (\`PATCH /auth/account/money\`). Moments are ISO 8601 in UTC with milliseconds. Lengths of texts count UTF-16 code units.
- **Credentials** go into the \`Authorization\` header only: a bearer token from \`POST /auth/login/account\`, or an API key from \`POST /auth/account/api-keys\` or \`/generate-keys\` as HTTP Basic.
- **Roles**: \`viewer\` < \`trader\` < \`settler\` < \`owner\`. An \`approver\` reads and approves. A bearer token has the role of its operator; a key has its own, and never does more than the operator who made it; each operation says its least role.
- **Idempotency**: POST, PUT, PATCH and DELETE that take an \`Idempotency-Key\` do their work once for each key, however often they are sent.
- **Limits**: \`RateLimit\` and \`RateLimit-Policy\` say where a caller stands; 429 and 503 say in \`Retry-After\` when to try again.
- **Refusals** name themselves in \`Ledger-Error\`, for programs. HTTP itself may refuse any request: \`request-timeout\` (408), \`expectation-failed\` (417), \`headers-too-large\` (431).
- **Tenants** never see each other: what belongs to another account is answered like what does not exist.
- **Versions**: the API only grows, as docs/changelog.md says; \`${VERSION_HEADER}\` is the date of its newest change. Every path also begins with \`${VERSION_PATH}\`, except those of providers and pages. Answers may get new fields, and events new types: ignore what you do not know.
- A \`traceparent\` header (W3C Trace Context) is passed on to the logs.`;

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of `POST /auth/login/account`. It lives 24 hours, or until it is logged out.',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'A pair of `POST /auth/account/api-keys` or `/generate-keys`: `api_key` is the user name, `api_secret` the password. It lives until it expires, is replaced or revoked.',
  },
  metrics: { type: 'http', scheme: 'bearer', description: 'The token of `METRICS_TOKEN`, for `/metrics` only.' },
} as const;

/** `/account/user/:userId` as OpenAPI writes it. */
const documentedPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/** Those of deprecated endpoints are there only while there is one. */
function usedHeaders(paths: ApiDocument['paths']): ApiDocument['components']['headers'] {
  const text = JSON.stringify([paths, commonResponses]);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}

interface DocumentOptions {
  readonly endpoints?: Readonly<Record<string, Endpoint>>;
  /** `closed` names every field that answers have today: for tests. Callers must take others too. */
  readonly answers?: 'open' | 'closed';
}

/** The OpenAPI document, generated from the endpoints. */
export function createDocument({ endpoints = namedEndpoints, answers = 'open' }: DocumentOptions = {}): ApiDocument {
  const book = createSchemaBook(answers);
  for (const shape of shapes) book.ofAnswer(shape);
  const paths: Record<string, Partial<Record<Method, ApiOperation>>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const path = documentedPath(endpoint.path);
    paths[path] = { ...paths[path], [endpoint.method]: operationOf(name, endpoint, book) };
  }
  Object.assign(paths, servicePaths(book));
  const webhooks = webhooksOf(book);
  return {
    openapi: '3.1.0',
    info: { title: 'Betting Ledger API', version: API_VERSION, description: INTRODUCTION },
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(book.components).sort(([one], [other]) => (one < other ? -1 : 1))),
      responses: commonResponses,
      parameters: { [keyParameter.name]: keyParameter, [requestIdParameter.name]: requestIdParameter },
      headers: usedHeaders(paths),
      securitySchemes,
    },
  };
}
