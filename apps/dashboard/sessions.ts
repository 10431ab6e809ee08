import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Authenticator, Caller } from '#accounts/access/authenticator.js';
import { type Cause, UNKNOWN_ACTOR } from '#accounts/events/account-event.js';
import { actorOf } from '#accounts/events/caller-actor.js';
import { logIn, logOut, type SessionContext } from '#accounts/sessions.js';
import { HttpError } from '#http/errors.js';
import * as fields from '#http/fields.js';
import { networkOf } from '#http/limits/network.js';
import { loginKeys, type RateLimits } from '#http/limits/rate-limits.js';
import { Refusal } from '#platform/errors/refusal.js';

// A session is an access token of an admin, in a cookie that only the server can read. So it ends like any token: at its
// time, with a log-out, a new password or the end of all access, in every process at once.

/** The path of the form, and the name under which its tries are counted. */
export const LOGIN_PATH = '/login';

/** Browsers take a `__Host-` cookie over TLS only, and then from this very host alone. */
const cookieNameFor = ({ secure }: Request) => (secure ? '__Host-ledger-session' : 'ledger-session');

function tokenOf(request: Request): string | undefined {
  const start = `${cookieNameFor(request)}=`;
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length);
}

/** Without an age, so that browsers drop it at their end. Other sites cannot make them send it. */
const cookieOptionsFor = ({ secure }: Request) => ({ httpOnly: true, sameSite: 'strict', secure, path: '/' }) as const;

const loginForm = z.strictObject({ email: fields.email, password: fields.secret });

export interface SessionOptions {
  readonly context: Omit<SessionContext, 'cause'>;
  readonly authenticator: Authenticator;
  readonly limits: RateLimits;
}

/** The sessions of admins, for every page of this process. */
export interface Sessions {
  /** Admits admins with a session. It sends others to the form, if a person asks for a page, and refuses the rest. */
  readonly adminsOnly: RequestHandler;
  /** Starts a new session, and ends the one before; false when e-mail or password is wrong, or of no admin. */
  start(request: Request, response: Response): Promise<boolean>;
  end(request: Request, response: Response): Promise<void>;
}

const causeOf = ({ ip }: Request, { locals }: Response, caller?: Caller): Cause => ({
  actor: caller === undefined ? UNKNOWN_ACTOR : actorOf(caller, false),
  address: ip ?? null,
  requestId: locals.requestId ?? null,
});

export function createSessions({ context, authenticator, limits }: SessionOptions): Sessions {
  /** Each look-up of a token that is not remembered counts for the network: invented cookies must not cost queries. */
  async function lookUp(request: Request, token: string): Promise<Caller | undefined> {
    await limits.count('address', `${networkOf(request.ip ?? '')} dashboard session`);
    return authenticator.remember(`Bearer ${token}`, () => authenticator.withToken(token));
  }

  async function callerOf(request: Request): Promise<Caller | undefined> {
    const token = tokenOf(request);
    if (token === undefined) return undefined;
    return authenticator.recall(`Bearer ${token}`) ?? lookUp(request, token);
  }

  async function tryForm(request: Request, response: Response): Promise<string | undefined> {
    const network = networkOf(request.ip ?? '');
    await limits.count('address', `${network} dashboard ${LOGIN_PATH}`);
    const form = loginForm.safeParse(request.body);
    if (!form.success) return undefined;
    const { email } = form.data;
    const onAccount = (accountId: bigint) => {
      response.locals.accountId = accountId;
    };
    const credentials = { ...form.data, isForAdmins: true, onAccount };
    const caused = { ...context, cause: causeOf(request, response) };
    return limits.guess(loginKeys(email, network), () => logIn(caused, credentials));
  }

  async function endSession(request: Request, response: Response): Promise<void> {
    const caller = await callerOf(request);
    if (caller?.tokenId === undefined) return;
    request.user = caller;
    const caused = { ...context, cause: causeOf(request, response, caller) };
    await logOut(caused, caller.account.accountId, { id: caller.tokenId, all: false });
  }

  return {
    async adminsOnly(request, response, next) {
      const caller = await callerOf(request);
      if (caller?.account.role === 'admin' && caller.account.status === 'active') {
        request.user = caller;
        return next();
      }
      const isPage = request.method === 'GET' && request.accepts(['json', 'html']) === 'html';
      if (!isPage) throw new HttpError(401, 'Log in first');
      response.redirect(303, LOGIN_PATH);
    },
    async start(request, response) {
      const token = await tryForm(request, response);
      if (token === undefined) return false;
      response.cookie(cookieNameFor(request), token, cookieOptionsFor(request));
      // A limit on look-ups must not undo the log-in: the former session then ends at its time.
      await endSession(request, response).catch((error) => {
        if (!(error instanceof Refusal)) throw error;
      });
      return true;
    },
    async end(request, response) {
      await endSession(request, response);
      response.clearCookie(cookieNameFor(request), cookieOptionsFor(request));
    },
  };
}
