import type { Request, RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import passport from 'passport';
import { BasicStrategy } from 'passport-http';
import type { AccessChanges } from '#accounts/access/access-changes.js';
import { basicPart, wholeBasicHeader } from '#accounts/access/basic-header.js';
import type { Passwords } from '#accounts/access/passwords.js';
import { sha256 } from '#accounts/access/secrets.js';
import { type Cause, UNKNOWN_ACTOR } from '#accounts/events/account-event.js';
import type { WrongLogins } from '#accounts/events/wrong-logins.js';
import { logInToDashboard } from '#accounts/sessions.js';
import { loginKeys, type RateLimits } from '#http/limits/rate-limits.js';
import type { Database } from '#platform/database/database.js';

export interface AdminGateOptions {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly changes: AccessChanges;
  readonly limits: RateLimits;
  readonly wrongLogins: WrongLogins;
}

const causeOf = ({ ip, res }: Request): Cause => ({
  actor: UNKNOWN_ACTOR,
  address: ip ?? null,
  requestId: res?.locals.requestId ?? null,
});

const MAX_CACHED_ADMINS = 1_000;
const MAX_CACHED_MS = 60_000;

/** Admits the e-mail and password of an admin account by HTTP Basic; any other request gets a 401 on every path. */
export function createAdminGate(options: AdminGateOptions): RequestHandler {
  const { database, passwords, changes, limits, wrongLogins } = options;
  // A page makes many requests: the password is checked once, and again after any change of the account.
  const admitted = new LRUCache<string, bigint>({ max: MAX_CACHED_ADMINS, ttl: MAX_CACHED_MS });
  let generation = 0;
  changes.onChange((accountId) => {
    generation += 1;
    if (accountId === undefined) return admitted.clear();
    for (const [key, id] of admitted.entries()) if (id === accountId) admitted.delete(key);
  });

  /** The id of the admin who sends the request. */
  async function findAdmin(request: Request, email: string, password: string): Promise<bigint | undefined> {
    const key = sha256(JSON.stringify([email, password])).toString('base64');
    const trusted = changes.isTrusted();
    const known = trusted ? admitted.get(key) : undefined;
    if (known !== undefined) return known;
    const before = generation;
    const context = { database, passwords, wrongLogins, cause: causeOf(request) };
    const login = await limits.guess(loginKeys(email, request.ip ?? ''), () =>
      logInToDashboard(context, { email, password }),
    );
    const adminId = login?.id;
    if (adminId !== undefined && trusted && before === generation) admitted.set(key, adminId);
    return adminId;
  }

  const gate = new passport.Passport();
  gate.use(
    new BasicStrategy({ realm: 'Betting Ledger operators', passReqToCallback: true }, (request, name, secret, done) => {
      findAdmin(request as unknown as Request, basicPart(name), basicPart(secret)).then(
        (accountId) => done(null, accountId === undefined ? false : { account: { accountId } }),
        (error) => done(error),
      );
    }),
  );
  const authenticate = gate.authenticate('basic', { session: false });
  return (request, response, next) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) request.headers.authorization = wholeBasicHeader(authorization);
    authenticate(request, response, next);
  };
}
