import { createHmac } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { createLookup } from './lookup.js';
import { readRetryAfter } from './schedule.js';
import { targetFaults } from './target.js';
import type { AttemptError, EndpointKey } from './webhook-endpoint.js';

/*
 * One request to an endpoint of a business, which may lead anywhere. The agent checks every address that the name resolves
 * to, in the look-up of the connection itself: a name that leads elsewhere a moment later changes nothing. No redirect is
 * followed, no connection is used twice, and of the answer only the status is ever shown.
 */

export interface Message {
  /** The same for every attempt. */
  readonly id: string;
  readonly body: string;
}

interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookResult {
  /** Null: no answer came. */
  readonly status: number | null;
  /** Null: it was taken. */
  readonly error: AttemptError | null;
  readonly durationMs: number;
  readonly retryAfterMs: number | undefined;
}

export type Send = (request: WebhookRequest) => Promise<WebhookResult>;

export interface SenderOptions {
  /** For development: also private addresses, and without TLS. */
  readonly allowPrivate: boolean;
  readonly timeoutMs?: number;
  /** Resolves names. */
  readonly lookup?: LookupFunction;
}

export const ANSWER_WITHIN_MS = 15_000;
/** What is read of an answer, so that a polite receiver can end it. */
const MAX_ANSWER_BYTES = 1_024;
const ANSWER_ENDS_WITHIN_MS = 1_000;
const USER_AGENT = 'Betting-Ledger-Webhooks/1.0';

const UNKNOWN_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);
const NOT_TLS = /^(?:E[A-Z]+|UND_.*)$/;

function errorOf(error: Error & { code?: string | undefined }, isLate: boolean): AttemptError {
  const { code = '', message } = error;
  if (isLate) return 'timeout';
  if (/ is not allowed\. Because/.test(message)) return 'address-refused';
  if (UNKNOWN_HOST.has(code)) return 'unknown-host';
  if (code.startsWith('HPE_')) return 'broken-answer';
  if (code === 'EPROTO' || (code !== '' && !NOT_TLS.test(code)) || code.startsWith('ERR_TLS')) return 'tls';
  return 'not-reachable';
}

/** Resolves when the answer has ended, or is long or slow enough. */
function drained(response: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const end = () => {
      clearTimeout(timer);
      response.destroy();
      resolve();
    };
    const timer = setTimeout(end, ANSWER_ENDS_WITHIN_MS);
    response.on('error', end).on('close', end).on('end', end);
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes >= MAX_ANSWER_BYTES) end();
    });
  });
}

/** Every request has a socket of its own. */
function agentsOf({ allowPrivate }: SenderOptions) {
  const settings = { keepAlive: false };
  return {
    http: new http.Agent(settings),
    https: allowPrivate ? new https.Agent(settings) : new RequestFilteringHttpsAgent(settings),
  };
}

export function createSender(options: SenderOptions): Send {
  const { allowPrivate, timeoutMs = ANSWER_WITHIN_MS } = options;
  // Private names may be known to the system alone.
  const lookup = options.lookup ?? (allowPrivate ? undefined : createLookup());
  const agents = agentsOf(options);

  function open({ url, headers, body }: WebhookRequest, signal: AbortSignal) {
    const isPlain = url.startsWith('http:');
    const settings: https.RequestOptions = {
      method: 'POST',
      agent: isPlain ? agents.http : agents.https,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': USER_AGENT,
        ...headers,
      },
      signal,
      ...(lookup !== undefined && { lookup }),
    };
    return isPlain ? http.request(url, settings) : https.request(url, settings);
  }

  function exchange(given: WebhookRequest, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      // An error after the answer is of no interest: the status has come.
      const request = open(given, signal).on('error', reject).on('response', resolve);
      request.end(given.body);
    });
  }

  return async (request) => {
    const startedAt = performance.now();
    const durationOf = () => Math.round(performance.now() - startedAt);
    const none = { status: null, retryAfterMs: undefined };
    // The rules may have changed since the endpoint was made.
    if (targetFaults(request.url, { allowPrivate }).length > 0) {
      return { ...none, error: 'address-refused', durationMs: durationOf() };
    }
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await exchange(request, signal);
      const { statusCode: status = 0, headers } = response;
      const durationMs = durationOf();
      await drained(response);
      const isTaken = status >= 200 && status <= 299;
      const retryAfterMs = isTaken ? undefined : readRetryAfter(headers['retry-after'], new Date());
      return { status, error: isTaken ? null : 'status', durationMs, retryAfterMs };
    } catch (error) {
      return { ...none, error: errorOf(error as Error, signal.aborted), durationMs: durationOf() };
    }
  };
}

/** How many requests of one account a process sends at the same time: a slow receiver leaves the others theirs. */
const SOCKETS_OF_ACCOUNT = 8;

/** The sockets of this process. */
export interface Sockets {
  /** False: the account has as many as it may. */
  take(accountId: bigint): boolean;
  release(accountId: bigint): void;
}

export function createSockets(limit: number = SOCKETS_OF_ACCOUNT): Sockets {
  const taken = new Map<bigint, number>();
  return {
    take(accountId) {
      const count = taken.get(accountId) ?? 0;
      if (count >= limit) return false;
      taken.set(accountId, count + 1);
      return true;
    },
    release(accountId) {
      const count = (taken.get(accountId) ?? 1) - 1;
      if (count > 0) taken.set(accountId, count);
      else taken.delete(accountId);
    },
  };
}

const MS = 1_000;

/** `at`: of this attempt. Of each secret one signature: while an old secret lives, the receiver may check by either. */
export function messageHeaders(
  endpoint: EndpointKey,
  { id, body, at }: Message & { readonly at: Date },
  secrets: readonly Buffer[],
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / MS);
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
    'webhook-endpoint': String(endpoint.id),
    'webhook-account': String(endpoint.accountId),
  };
}
