import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import { ApiUnreachable, type OriginOf, type Upstream, type UpstreamAnswer } from './upstream.js';

// The calls that this server makes itself: a log-in, whose token never reaches the browser, and what it reads for the first
// page.

export const LOGIN_ROUTE = '/auth/login/account';

/** Routes of callers without a token, who prove who they are or ask for a proof. */
type OpenRoute =
  | typeof LOGIN_ROUTE
  | '/auth/account/confirm-email'
  | '/operators/accept-invitation'
  | '/auth/account/forgot-password'
  | '/auth/account/create-password-for-forgot-password';

const LONGEST_LOGIN_ANSWER = 16_384;
/** The statement of a user with a thousand lines. What is longer, the page asks for itself. */
const LONGEST_READ_ANSWER = 1_048_576;
/** Longer than a log-in waits for its turn at the API. */
const LOGIN_WITHIN_MS = 45_000;

/** The answer of the API to a call of its own. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

async function readBody(answer: UpstreamAnswer['body'], longest: number): Promise<unknown> {
  let text = '';
  answer.setEncoding('utf8');
  // A loop that is left destroys the answer, and with it the connection.
  for await (const piece of answer) {
    text += piece;
    if (text.length > longest) throw new ApiUnreachable('The answer of the API is too long');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiUnreachable('The answer of the API is no JSON');
  }
}

async function answerOf({ statusCode, headers, body }: UpstreamAnswer, longest: number): Promise<ApiAnswer> {
  return { status: statusCode, headers, body: await readBody(body, longest) };
}

interface Access {
  readonly token: string;
  /** Ends the call, which then throws. */
  readonly signal: AbortSignal;
}

/** Each call is for a request of a browser, under the same request id and for the same address. */
export interface ApiCalls {
  post(route: OpenRoute, body: object, ...from: [Request, Response]): Promise<ApiAnswer>;
  read(path: string, access: Access, ...from: [Request, Response]): Promise<ApiAnswer>;
}

export interface ApiCallsOptions {
  /** No other request uses a connection of a log-in: its answer has a token. */
  readonly logIns: Upstream;
  readonly reads: Upstream;
  readonly originOf: OriginOf;
}

export function createApiCalls({ logIns, reads, originOf }: ApiCallsOptions): ApiCalls {
  return {
    async post(path, body, ...from) {
      const answer = await logIns.request({
        method: 'POST',
        path,
        headers: { ...originOf(...from), 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(body)),
        signal: AbortSignal.timeout(LOGIN_WITHIN_MS),
      });
      return answerOf(answer, LONGEST_LOGIN_ANSWER);
    },
    async read(path, { token, signal }, ...from) {
      const headers = { ...originOf(...from), authorization: `Bearer ${token}` };
      return answerOf(await reads.request({ method: 'GET', path, headers, signal }), LONGEST_READ_ANSWER);
    },
  };
}
