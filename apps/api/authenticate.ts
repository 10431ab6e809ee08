import type { RequestHandler } from 'express';
import passport from 'passport';
import { BasicStrategy } from 'passport-http';
import { Strategy as BearerStrategy } from 'passport-http-bearer';
import type { Authenticator, Caller } from '#access/authenticator.js';
import { Unauthorized } from '#http/errors.js';
import { Refusal } from '#refusals/refusal.js';
import type { Access } from './endpoint.js';

type Done = (error: unknown, caller?: Caller | false) => void;

const settle = (found: Promise<Caller | undefined>, done: Done) => {
  found.then((caller) => done(null, caller ?? false), done);
};

const schemes = { bearer: /^bearer /i, basic: /^basic /i } as const;

/** Which scheme the header speaks. Only the header counts: a token in an address or a body would end up in logs. */
function schemeOf(authorization: string | undefined): keyof typeof schemes | undefined {
  if (authorization === undefined) return undefined;
  if (schemes.bearer.test(authorization)) return 'bearer';
  return schemes.basic.test(authorization) ? 'basic' : undefined;
}

/** One authenticate step for each kind of access, over passport's bearer and HTTP Basic strategies. */
export function createAuthenticate(authenticator: Authenticator): (access: Access) => RequestHandler[] {
  const gate = new passport.Passport();
  gate.use('bearer', new BearerStrategy((token, done) => settle(authenticator.withToken(token), done as Done)));
  gate.use(
    'basic',
    new BasicStrategy((key, secret, done) => settle(authenticator.withApiKey(key, secret), done as Done)),
  );

  const authenticate: RequestHandler = (request, response, next) => {
    const scheme = schemeOf(request.headers.authorization);
    if (scheme === undefined || request.query.access_token !== undefined) throw new Unauthorized();
    const decide = (error: unknown, caller: Caller | false | undefined) => {
      if (error) return next(error);
      if (!caller) return next(new Unauthorized());
      request.user = caller;
      next();
    };
    gate.authenticate(scheme, { session: false }, decide)(request, response, next);
  };

  const bearerOnly: RequestHandler = (request, _response, next) => {
    if ((request.user as Caller).tokenId === undefined) throw new Unauthorized();
    next();
  };

  const adminsOnly: RequestHandler = (request, _response, next) => {
    if ((request.user as Caller).account.role !== 'admin') throw new Refusal('admins-only');
    next();
  };

  const guards: Record<Access, RequestHandler[]> = {
    public: [],
    account: [authenticate],
    bearer: [authenticate, bearerOnly],
    admin: [authenticate, adminsOnly],
  };
  return (access) => guards[access];
}
