import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { ApiUnreachable, headOf, originOf, type Upstream } from './upstream.js';

// The calls that this server makes itself: a log-in and a log-out, whose token never reaches the browser, and what it reads for
// the first page.

export const LOGIN_ROUTE = '/auth/login/account';
export const LOGOUT_ROUTE = '/auth/logout/account';

const LONGEST_LOGIN_ANSWER = 16_384;
/** Ten events have at most 8,192 characters of a user's preferences each. */
const LONGEST_READ_ANSWER = 131_072;

/** The answer of the API to a call of its own. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

async function readBody(answer: IncomingMessage, longest: number): Promise<unknown> {
  let text = '';
  answer.setEncoding('utf8');
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

interface Access {
  readonly token: string;
  /** Ends the call, which then throws. */
  readonly signal: AbortSignal;
}

interface ApiCall extends Partial<Access> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** An answer of more characters is refused. */
  readonly longest: number;
}

/** One call for a request of a browser, under the same request id and for the same address. */
async function call(
  upstream: Upstream,
  { method, path, body, token, signal, longest }: ApiCall,
  from: readonly [request: Request, response: Response],
): Promise<ApiAnswer> {
  const sent = body && JSON.stringify(body);
  const headers = {
    ...originOf(...from),
    ...(sent !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const request = upstream.request({ method, path, headers, signal });
  const head = headOf(request);
  request.end(sent);
  const answer = await head;
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await readBody(answer, longest) };
}

export interface ApiCalls {
  logIn(credentials: object, ...from: [Request, Response]): Promise<ApiAnswer>;
  /** Ends the token. */
  logOut(token: string, ...from: [Request, Response]): Promise<ApiAnswer>;
  read(path: string, access: Access, ...from: [Request, Response]): Promise<ApiAnswer>;
}

export const createApiCalls = (upstream: Upstream): ApiCalls => ({
  logIn: (body, ...from) =>
    call(upstream, { method: 'POST', path: LOGIN_ROUTE, body, longest: LONGEST_LOGIN_ANSWER }, from),
  logOut: (token, ...from) =>
    call(upstream, { method: 'POST', path: LOGOUT_ROUTE, body: {}, token, longest: LONGEST_LOGIN_ANSWER }, from),
  read: (path, access, ...from) =>
    call(upstream, { method: 'GET', path, longest: LONGEST_READ_ANSWER, ...access }, from),
});
