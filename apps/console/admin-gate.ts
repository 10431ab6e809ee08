import type { RequestHandler } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import { HttpError } from '#http/errors.js';
import type { Sessions } from './server/sessions.js';

export type AdminGate = RequestHandler;

const LOGIN_PAGE = '/';

/**
 * Admits owners of active admin accounts with a session. It sends others to the console, if a person asks for a page, and refuses the rest. The
 * role is looked up for each request, so it ends here at once when it is lost.
 */
export function createAdminGate(
  sessions: Sessions,
  callerOf: (token: string) => Promise<Caller | undefined>,
): AdminGate {
  return async (request, response, next) => {
    const session = await sessions.find(request);
    const caller = session && (await callerOf(session.token));
    const { account, role } = caller ?? {};
    const isAdmin = account?.role === 'admin' && account.status === 'active' && role === 'owner';
    if (isAdmin && !caller?.isAdminLocked && !caller?.mustAddFactor) {
      request.user = caller;
      return next();
    }
    const isPage = request.method === 'GET' && request.accepts(['json', 'html']) === 'html';
    if (isAdmin) throw new HttpError(403, 'Second factor required');
    if (caller !== undefined) throw new HttpError(403, 'Only owners of an admin account may do this');
    if (!isPage) throw new HttpError(401, 'Log in first');
    response.redirect(303, LOGIN_PAGE);
  };
}
