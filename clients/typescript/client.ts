import createClient, { type Client } from 'openapi-fetch';
import { noteResponse } from './answers.js';
import type { Call, Method } from './calls.js';
import { LedgerError } from './errors.js';
import { createExports, type ExportCalls, type Exports } from './exports.js';
import { keyedOperations, type paths } from './generated.js';
import { createLineWalks, type LineWalks } from './line-walks.js';
import { createLists, type LedgerLists } from './lists.js';
import { createRetryingFetch, KEY_HEADER, type RetryOptions } from './retrying-fetch.js';
import { createStreams, type Streams } from './streams.js';
import { createUserImports, type UserImports } from './user-imports.js';
import { createWebhookEndpoints, type WebhookEndpoints } from './webhook-endpoints.js';

export { ledgerAsOf, requestIdOf } from './answers.js';
export { LedgerError, LedgerUnreachable } from './errors.js';
export { type Export, ExportDamaged, ExportFailed, type ExportFile, type ExportRequest } from './exports.js';
export type { FollowOptions } from './follow.js';
export type { components, ErrorCode, operations, paths } from './generated.js';
export type { ItemOf, LedgerLists, ListPath } from './lists.js';
export type { BookFilters, BookLevel, EventFilters, EventOf, FollowedBook, LedgerEvent } from './streams.js';
export type { ImportAnswer, ImportUser } from './user-imports.js';
export type { NewWebhookEndpoint, WebhookEndpoint, WebhookEndpoints } from './webhook-endpoints.js';

export type Credential =
  | { readonly token: string }
  | { readonly apiKey: string; readonly apiSecret: string }
  /** For calls without a credential: registering, logging in, passwords. */
  | { readonly token?: never; readonly apiKey?: never };

export type LedgerClientOptions = Credential &
  Partial<RetryOptions> & {
    readonly baseUrl: string;
    /** Lets the client send secrets over `http:` to another machine, where something else protects the network. */
    readonly allowHttp?: boolean;
  };

/** A call returns the body of the answer. It throws a LedgerError for a refusal, a LedgerUnreachable without an answer. */
export interface LedgerClient extends LedgerLists {
  readonly get: Call<'get'>;
  readonly post: Call<'post'>;
  readonly put: Call<'put'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
  /** `for await (const line of ledger.users.statement({ reference: 'ann' }))`, `….import(users))` */
  readonly users: LedgerLists['users'] & Pick<LineWalks, 'statement'> & UserImports;
  readonly reconciliation: { readonly users: LineWalks['dayOfUsers'] };
  /** Files of transactions, bets and statements: ask for one, wait for it, download it. */
  readonly exports: LedgerLists['exports'] & Exports;
  /** `for await (const event of ledger.events.follow({ from }))` */
  readonly events: Streams['events'];
  /** `for await (const { levels } of ledger.books.follow({ reference: 'home-win' }))` */
  readonly books: Streams['books'];
  /** Where the events of the account are sent. `verifyWebhook` of `./webhooks` checks what comes there. */
  readonly webhookEndpoints: LedgerLists['webhookEndpoints'] & WebhookEndpoints;
  /** The client of openapi-fetch: status, headers, and errors as values, with the same keys, retries and timeouts. */
  readonly raw: Client<paths>;
}

const defaults: RetryOptions = {
  retries: 4,
  firstWaitMs: 200,
  maxWaitMs: 10_000,
  timeoutMs: 15_000,
  totalWaitMs: 30_000,
  fetch: (request) => globalThis.fetch(request),
};

const retryOptionsOf = (given: Partial<RetryOptions>): RetryOptions => ({
  retries: given.retries ?? defaults.retries,
  firstWaitMs: given.firstWaitMs ?? defaults.firstWaitMs,
  maxWaitMs: given.maxWaitMs ?? defaults.maxWaitMs,
  timeoutMs: given.timeoutMs ?? defaults.timeoutMs,
  totalWaitMs: given.totalWaitMs ?? defaults.totalWaitMs,
  fetch: given.fetch ?? defaults.fetch,
});

/** A GET that uses up its token: a retry would fail where the first attempt succeeded. */
const USED_ONCE: keyof paths = '/auth/account/verify-email';

function authorizationOf(credential: Credential): Record<string, string> {
  if ('apiSecret' in credential) {
    return { Authorization: `Basic ${btoa(`${credential.apiKey}:${credential.apiSecret}`)}` };
  }
  return credential.token === undefined ? {} : { Authorization: `Bearer ${credential.token}` };
}

const LOCAL_HOST = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Every request carries a secret: a credential, or without one a password, a code or the token of a link. */
function assertPrivate({ baseUrl, allowHttp = false }: LedgerClientOptions): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || allowHttp || LOCAL_HOST.test(hostname)) return;
  throw new TypeError(`The client sends secrets over https: only, and ${protocol}//${hostname} is not on this machine`);
}

/** The client of openapi-fetch, and the key of the request behind each answer. */
function createRawClient({ baseUrl, ...options }: LedgerClientOptions) {
  const repeatable = new WeakSet<Request>();
  const keys = new WeakMap<Response, string>();
  const raw = createClient<paths>({
    baseUrl,
    headers: authorizationOf(options),
    // Commas separate the items of lists; each filter by meta is a parameter of its own.
    querySerializer: { array: { style: 'form', explode: false }, object: { style: 'form', explode: true } },
    fetch: createRetryingFetch(retryOptionsOf(options), (request) => repeatable.has(request)),
  });
  raw.use({
    onRequest({ request, schemaPath }) {
      if (keyedOperations.has(`${request.method} ${schemaPath}`)) {
        if (!request.headers.has(KEY_HEADER)) request.headers.set(KEY_HEADER, crypto.randomUUID());
        repeatable.add(request);
      } else if (request.method === 'GET' && schemaPath !== USED_ONCE) {
        repeatable.add(request);
      }
      return request;
    },
    onResponse({ request, response }) {
      const key = request.headers.get(KEY_HEADER);
      if (key !== null) keys.set(response, key);
    },
  });
  return { raw, keyOf: (response: Response) => keys.get(response) };
}

interface GivenOptions {
  readonly idempotencyKey?: string;
  readonly params?: { readonly header?: object };
}
interface AnyAnswer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}
type AnyRequest = (method: Method, path: string, options: object) => Promise<AnyAnswer>;

export function createLedgerClient(options: LedgerClientOptions): LedgerClient {
  assertPrivate(options);
  const { raw, keyOf } = createRawClient(options);
  const request = raw.request as unknown as AnyRequest;

  async function call(method: Method, path: string, { idempotencyKey, ...given }: GivenOptions = {}): Promise<unknown> {
    const header = { ...given.params?.header, ...(idempotencyKey && { [KEY_HEADER]: idempotencyKey }) };
    const { data, error, response } = await request(method, path, { ...given, params: { ...given.params, header } });
    if (!response.ok) throw new LedgerError(`${method.toUpperCase()} ${path}`, response, error, keyOf(response));
    noteResponse(data, response);
    return data;
  }

  const calling = (method: Method) => (path: string, given?: GivenOptions) => call(method, path, given);
  const get = (path: string, given?: GivenOptions) => call('get', path, given);
  const { statement, dayOfUsers } = createLineWalks(get);
  const lists = createLists(get);
  const headers = authorizationOf(options);
  const retries = retryOptionsOf(options);
  const imports = createUserImports({ baseUrl: options.baseUrl, headers, ...retries });
  const calls = {
    ...lists,
    users: { ...lists.users, statement, ...imports },
    reconciliation: { users: dayOfUsers },
    get: calling('get') as Call<'get'>,
    post: calling('post') as Call<'post'>,
    put: calling('put') as Call<'put'>,
    patch: calling('patch') as Call<'patch'>,
    delete: calling('delete') as Call<'delete'>,
  };
  const { fetch, firstWaitMs, maxWaitMs } = retries;
  const downloads = { baseUrl: options.baseUrl, headers, fetch };
  const streams = createStreams({ ...downloads, firstWaitMs, maxWaitMs });
  const exportCalls: ExportCalls = {
    create: (body, given) => calls.post('/exports', { body, ...given }),
    read: (id, given) => calls.get('/exports/{id}', { params: { path: { id } }, ...given }),
  };
  const exports = { ...lists.exports, ...createExports(exportCalls, downloads) };
  const webhookEndpoints = { ...lists.webhookEndpoints, ...createWebhookEndpoints(calls) };
  return { ...calls, ...streams, exports, webhookEndpoints, raw };
}
