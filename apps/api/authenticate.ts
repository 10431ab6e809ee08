import type { Request, RequestHandler, Response } from 'express';
import passport from 'passport';
import { BasicStrategy } from 'passport-http';
import { Strategy as BearerStrategy } from 'passport-http-bearer';
import type { Authenticator, Caller, Verified } from '#access/authenticator.js';
import { basicPart, wholeBasicHeader } from '#access/basic-header.js';
import { Unauthorized } from '#http/errors.js';
import { Refusal } from '#refusals/refusal.js';
import type { Access } from './endpoint.js';

type Done = (error: unknown, verified?: Verified | false) => void;

const settle = (found: Promise<Verified | undefined>, done: Done) => {
  found.then((verified) => done(null, verified ?? false), done);
};

const schemes = { bearer: /^bearer /i, basic: /^basic /i } as const;
type Scheme = keyof typeof schemes;

function schemeOf(authorization: string): Scheme | undefined {
  if (schemes.bearer.test(authorization)) return 'bearer';
  return schemes.basic.test(authorization) ? 'basic' : undefined;
}

/** Passport's bearer and HTTP Basic strategies, as a function from a header to whom it proves. */
function createVerify(authenticator: Authenticator) {
  const gate = new passport.Passport();
  gate.use('bearer', new BearerStrategy((token, done) => settle(authenticator.withToken(token), done as Done)));
  gate.use(
    'basic',
    new BasicStrategy((key, secret, done) =>
      settle(authenticator.withApiKey(basicPart(key), basicPart(secret)), done as Done),
    ),
  );
  return (scheme: Scheme, given: string): Promise<Verified | undefined> =>
    new Promise((resolve, reject) => {
      // All that the strategies may look at: a token in an address or a body would end up in logs.
      const authorization = scheme === 'basic' ? wholeBasicHeader(given) : given;
      const request = { headers: { authorization } } as Request;
      const decide = (error: unknown, verified: Verified | false | undefined) => {
        if (error) reject(error);
        else resolve(verified || undefined);
      };
      gate.authenticate(scheme, { session: false }, decide)(request, {} as Response, reject);
    });
}

/** One authenticate step for each kind of access. */
export function createAuthenticate(authenticator: Authenticator): (access: Access) => RequestHandler[] {
  const verify = createVerify(authenticator);

  async function callerOf({ authorization }: Request['headers']): Promise<Caller | undefined> {
    if (authorization === undefined) return undefined;
    const known = authenticator.recall(authorization);
    if (known !== undefined) return known;
    const scheme = schemeOf(authorization);
    if (scheme === undefined) return undefined;
    return authenticator.remember(authorization, () => verify(scheme, authorization));
  }

  const authenticate: RequestHandler = async (request, _response, next) => {
    const caller = await callerOf(request.headers);
    if (caller === undefined) throw new Unauthorized();
    request.user = caller;
    next();
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
