import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import { sendJson } from '#http/answer.js';
import { HttpError } from '#http/errors.js';
import * as fields from '#http/fields.js';
import { consoleLoginKeys, type RateLimits } from '#http/limits/rate-limits.js';
import { parse } from '#http/request-input.js';
import { type ApiAnswer, type ApiCalls, LOGIN_ROUTE } from './api-calls.js';
import type { Sessions } from './sessions.js';
import type { ReadShownSession } from './shown-session.js';

const SESSION_PATH = '/session';

const MAX_FORM = '4kb';
const OK = 200;
const UNAUTHORIZED = 401;

/**
 * Forms that need no session, with the path of their page. The API takes a token or a code from a mail, and counts wrong ones; it never
 * tells whether there is an account.
 */
const openForms = [
  {
    path: '/confirm-email',
    route: '/auth/account/confirm-email',
    form: z.strictObject({ token: fields.secret, password: fields.secret }),
  },
  {
    path: '/accept-invitation',
    route: '/operators/accept-invitation',
    form: z.strictObject({ token: fields.secret, password: fields.secret }),
  },
  {
    path: '/forgot-password',
    route: '/auth/account/forgot-password',
    form: z.strictObject({ email: fields.email }),
  },
  {
    path: '/reset-password',
    route: '/auth/account/create-password-for-forgot-password',
    form: z.strictObject({
      email: fields.email,
      token: fields.secret,
      password: fields.secret,
      password_confirmation: fields.secret,
    }),
  },
] as const;
const loginForm = z.strictObject({ email: fields.email, password: fields.secret, code: fields.secret.optional() });

/** Ends an access token of the API, also of a suspended account, and while the API is down. */
export type EndToken = (token: string, ...from: [Request, Response]) => Promise<void>;

export interface SessionRoutesOptions {
  readonly sessions: Sessions;
  readonly calls: ApiCalls;
  readonly limits: RateLimits;
  readonly endToken: EndToken;
  readonly readShownSession: ReadShownSession;
}

const ERROR_HEADER = 'ledger-error';

/** The password was right, and the operator has a second factor: a first step, and no wrong guess. */
const isCodeNeeded = ({ headers }: ApiAnswer): boolean => headers[ERROR_HEADER] === 'login-code-needed';

/** Passes on what the API answered. */
function relay(response: Response, { status, headers, body }: ApiAnswer): void {
  const code = headers[ERROR_HEADER];
  if (code !== undefined) response.setHeader(ERROR_HEADER, code);
  const retryAfter = headers['retry-after'];
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  sendJson(response, status, body as object);
}

const wrongText = ({ code }: { readonly code?: unknown }): string =>
  code === undefined ? 'The e-mail or the password is wrong' : 'The e-mail, the password or the code is wrong';

const tokenIn = ({ body }: ApiAnswer): string => (body as { data: { token: string } }).data.token;

/** Reading, beginning and ending the session of a browser. */
export function createSessionRoutes(options: SessionRoutesOptions): Router {
  const { sessions, calls, limits, endToken, readShownSession } = options;

  /** The API counts wrong passwords as well, but it may count all browsers behind this server as one caller. */
  async function tryLogin(request: Request, response: Response): Promise<ApiAnswer> {
    const from = request.ip ?? '';
    await limits.countFrom('address', from, `console ${SESSION_PATH}`);
    const credentials = parse(loginForm, request.body);
    let answer: ApiAnswer | undefined;
    await limits.guess(consoleLoginKeys(credentials.email, from), async () => {
      answer = await calls.post(LOGIN_ROUTE, credentials, request, response);
      return answer.status === UNAUTHORIZED && !isCodeNeeded(answer) ? undefined : answer;
    });
    return answer as unknown as ApiAnswer;
  }

  /** Before the session is forgotten: a token that could not be ended must not be lost. */
  async function endTokenOf(request: Request, response: Response): Promise<void> {
    const session = await sessions.find(request);
    if (session !== undefined) await endToken(session.token, request, response);
  }

  const router = express.Router();
  router.get(SESSION_PATH, async (request, response) => {
    const session = await sessions.find(request);
    const shown = session && (await readShownSession(session.token));
    if (session !== undefined && shown === undefined) await sessions.end(request, response);
    sendJson(response, OK, { session: shown ?? null });
  });
  router.post(SESSION_PATH, express.json({ limit: MAX_FORM }), async (request, response) => {
    const answer = await tryLogin(request, response);
    const isWrong = answer.status === UNAUTHORIZED && !isCodeNeeded(answer);
    if (isWrong) throw new HttpError(UNAUTHORIZED, wrongText(request.body));
    if (answer.status !== OK) return relay(response, answer);
    const token = tokenIn(answer);
    const shown = await readShownSession(token);
    if (shown === undefined) throw new HttpError(UNAUTHORIZED, 'The account was changed meanwhile: try again');
    response.locals.accountId = BigInt(shown.account.id);
    await endTokenOf(request, response);
    await sessions.begin(request, response, { token, operatorId: shown.operator.id });
    sendJson(response, OK, { session: shown });
  });
  for (const { path, route, form } of openForms) {
    router.post(path, express.json({ limit: MAX_FORM }), async (request, response) => {
      await limits.countFrom('address', request.ip ?? '', `console ${path}`);
      relay(response, await calls.post(route, parse(form, request.body), request, response));
    });
  }
  router.delete(SESSION_PATH, async (request, response) => {
    await endTokenOf(request, response);
    await sessions.end(request, response);
    response.status(204).end();
  });
  return router;
}
