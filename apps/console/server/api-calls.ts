import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { ApiUnreachable, headOf, originOf, type Upstream } from './upstream.js';

// The calls that this server makes for itself: a log-in and a log-out, whose token never reaches the browser.

export const LOGIN_ROUTE = '/auth/login/account';
export const LOGOUT_ROUTE = '/auth/logout/account';

const LONGEST_ANSWER = 16_384;

/** The answer of the API to a call of its own. */
export interface ApiAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: unknown;
}

async function readBody(answer: IncomingMessage): Promise<unknown> {
  let text = '';
  answer.setEncoding('utf8');
  for await (const piece of answer) {
    text += piece;
    if (text.length > LONGEST_ANSWER) throw new ApiUnreachable('The answer of the API is too long');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiUnreachable('The answer of the API is no JSON');
  }
}

/** One call for a request of a browser, under the same request id and for the same address. */
async function post(
  upstream: Upstream,
  call: { readonly path: string; readonly body: object; readonly token?: string },
  from: readonly [request: Request, response: Response],
): Promise<ApiAnswer> {
  const body = JSON.stringify(call.body);
  const headers = {
    ...originOf(...from),
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(call.token !== undefined && { Authorization: `Bearer ${call.token}` }),
  };
  const request = upstream.request({ method: 'POST', path: call.path, headers });
  const head = headOf(request);
  request.end(body);
  const answer = await head;
  return {
    status: answer.statusCode ?? 0,
    retryAfter: answer.headers['retry-after'],
    body: await readBody(answer),
  };
}

export interface ApiCalls {
  logIn(credentials: object, ...from: [Request, Response]): Promise<ApiAnswer>;
  /** Ends the token. */
  logOut(token: string, ...from: [Request, Response]): Promise<ApiAnswer>;
}

export const createApiCalls = (upstream: Upstream): ApiCalls => ({
  logIn: (credentials, ...from) => post(upstream, { path: LOGIN_ROUTE, body: credentials }, from),
  logOut: (token, ...from) => post(upstream, { path: LOGOUT_ROUTE, body: {}, token }, from),
});
