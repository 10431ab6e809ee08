import type { Request, RequestHandler, Response } from 'express';
import passport from 'passport';
import { BasicStrategy } from 'passport-http';
import { Strategy as BearerStrategy } from 'passport-http-bearer';
import type { Authenticator, Caller } from '#accounts/access/authenticator.js';
import { basicPart, wholeBasicHeader } from '#accounts/access/basic-header.js';
import { type CallerRole, rolesFrom } from '#accounts/access/caller-role.js';
import { Refusal } from '#platform/errors/refusal.js';
import { inTime } from './answer.js';
import { Unauthorized } from './errors.js';
import { READING } from './methods.js';

type Done = (error: unknown, verified?: Caller | false) => void;

const callBack = (found: Promise<Caller | undefined>, done: Done) => {
  found.then((verified) => done(null, verified ?? false), done);
};

const schemes = { bearer: /^bearer /i, basic: /^basic /i } as const;
type Scheme = keyof typeof schemes;

function schemeOf(authorization: string): Scheme | undefined {
  if (schemes.bearer.test(authorization)) return 'bearer';
  return schemes.basic.test(authorization) ? 'basic' : undefined;
}

/** Passport's bearer and HTTP Basic strategies, as a function from a header to the account that it proves. */
function createVerify(authenticator: Authenticator) {
  const gate = new passport.Passport();
  gate.use('bearer', new BearerStrategy((token, done) => callBack(authenticator.withToken(token), done as Done)));
  gate.use(
    'basic',
    new BasicStrategy((key, secret, done) =>
      callBack(authenticator.withApiKey(basicPart(key), basicPart(secret)), done as Done),
    ),
  );
  return (scheme: Scheme, given: string): Promise<Caller | undefined> =>
    new Promise((resolve, reject) => {
      // The strategies see this header only: a token in an address or a body would end up in logs.
      const authorization = scheme === 'basic' ? wholeBasicHeader(given) : given;
      const request = { headers: { authorization } } as Request;
      const decide = (error: unknown, verified: Caller | false | undefined) => {
        if (error) reject(error);
        else resolve(verified || undefined);
      };
      gate.authenticate(scheme, { session: false }, decide)(request, {} as Response, reject);
    });
}

/** Verifies an Authorization header: a function that throws `Unauthorized` when it proves no caller. */
export function createProve(authenticator: Authenticator): (authorization: string | undefined) => Promise<Caller> {
  const verify = createVerify(authenticator);
  return async (authorization) => {
    const scheme = authorization === undefined ? undefined : schemeOf(authorization);
    if (authorization === undefined || scheme === undefined) throw new Unauthorized();
    const known = authenticator.recall(authorization);
    const caller = known ?? (await authenticator.remember(authorization, () => verify(scheme, authorization)));
    if (caller === undefined) throw new Unauthorized();
    return caller;
  };
}

/** Who may call: every client, one with a bearer token, one with any credential, or admins only. */
export type Access = 'public' | 'bearer' | 'account' | 'admin';

interface GuardedEndpoint {
  readonly access: Access;
  /** It only ends access to the caller's account, so a suspended account may call it. */
  readonly endsAccess?: boolean;
  /** An operator whose account asks for a second factor may call it before it has one. */
  readonly withoutSecondFactor?: boolean;
}

/** Count each request once: for its account, or without a credential for its address. */
export interface CallerCounts {
  readonly forAddress: (request: Request, response: Response) => void;
  /** Takes the count back when the credential has proved right. */
  readonly notForAddress: (request: Request) => void;
  /** Undefined: the requests of an account have no limit. */
  readonly forAccount: ((response: Response, accountId: bigint) => void) | undefined;
}

/** The guards of an endpoint. They count each request for its account, or for its address. */
export function createAuthenticate(
  authenticator: Authenticator,
  deadlineMs: number,
  counts: CallerCounts,
): (endpoint: GuardedEndpoint, leastRole: CallerRole | undefined) => RequestHandler[] {
  const prove = createProve(authenticator);

  /** A request counts for its address until its credential has proved right: guesses belong to no account. */
  async function countAndProve(request: Request, response: Response): Promise<Caller> {
    counts.forAddress(request, response);
    const proving = prove(request.headers.authorization);
    const caller = await inTime(response, proving, { deadlineMs, isRead: true });
    counts.notForAddress(request);
    return caller;
  }

  /** A suspended account may read, and end access that it gave. */
  function authenticate(
    { endsAccess = false, withoutSecondFactor = false }: GuardedEndpoint,
    leastRole: CallerRole,
  ): RequestHandler {
    const roles = rolesFrom(leastRole);
    return async (request, response, next) => {
      const { authorization } = request.headers;
      const known = authorization === undefined ? undefined : authenticator.recall(authorization);
      const caller = known ?? (await countAndProve(request, response));
      request.user = caller;
      const { status, accountId } = caller.account;
      counts.forAccount?.(response, accountId);
      if (status === 'suspended' && !endsAccess && !READING.has(request.method)) throw new Refusal('account-suspended');
      if (caller.mustAddFactor && !withoutSecondFactor) throw new Refusal('second-factor-required');
      if (!roles.has(caller.role)) throw new Refusal('role-forbids');
      next();
    };
  }

  const bearerOnly: RequestHandler = (request, _response, next) => {
    if ((request.user as Caller).tokenId === undefined) throw new Unauthorized();
    next();
  };

  const adminsOnly: RequestHandler = (request, _response, next) => {
    const { account, isAdminLocked } = request.user as Caller;
    if (account.role !== 'admin') throw new Refusal('admins-only');
    if (account.status === 'suspended') throw new Refusal('account-suspended');
    if (isAdminLocked) throw new Refusal('second-factor-required');
    next();
  };

  return (endpoint, leastRole = 'owner') => {
    const authenticated = authenticate(endpoint, leastRole);
    const guards: Record<Access, RequestHandler[]> = {
      public: [],
      account: [authenticated],
      bearer: [authenticated, bearerOnly],
      admin: [authenticated, adminsOnly],
    };
    return guards[endpoint.access];
  };
}
