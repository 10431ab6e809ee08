import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import passport from 'passport';
import { BasicStrategy } from 'passport-http';
import type { AccessChanges } from '#accounts/access/access-changes.js';
import { basicPart, wholeBasicHeader } from '#accounts/access/basic-header.js';
import type { Passwords } from '#accounts/access/passwords.js';
import { sha256 } from '#accounts/access/secrets.js';
import { checkCredentials } from '#accounts/sessions.js';
import { loginKeys, type RateLimits } from '#http/limits/rate-limits.js';
import type { Database } from '#platform/database/database.js';

export interface AdminGateOptions {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly changes: AccessChanges;
  readonly limits: RateLimits;
}

const MAX_CACHED_ADMINS = 1_000;
const MAX_CACHED_MS = 60_000;

/** Admits the e-mail and password of an admin account by HTTP Basic; any other request gets a 401 on every path. */
export function createAdminGate({ database, passwords, changes, limits }: AdminGateOptions): RequestHandler {
  // A page makes many requests: the password is checked once, and again after any change of the account.
  const admitted = new LRUCache<string, bigint>({ max: MAX_CACHED_ADMINS, ttl: MAX_CACHED_MS });
  let generation = 0;
  changes.onChange((accountId) => {
    generation += 1;
    if (accountId === undefined) return admitted.clear();
    for (const [key, id] of admitted.entries()) if (id === accountId) admitted.delete(key);
  });

  async function findAdmin(email: string, password: string): Promise<bigint | undefined> {
    const login = await checkCredentials({ database, passwords }, { email, password });
    return login?.role === 'admin' ? login.id : undefined;
  }

  async function isAdmin(address: string, email: string, password: string): Promise<boolean> {
    const key = sha256(JSON.stringify([email, password])).toString('base64');
    const trusted = changes.isTrusted();
    if (trusted && admitted.has(key)) return true;
    const before = generation;
    const adminId = await limits.guess(loginKeys(email, address), () => findAdmin(email, password));
    if (adminId !== undefined && trusted && before === generation) admitted.set(key, adminId);
    return adminId !== undefined;
  }

  const gate = new passport.Passport();
  gate.use(
    new BasicStrategy({ realm: 'Betting Ledger operators', passReqToCallback: true }, (request, name, secret, done) => {
      const address = (request as { ip?: string }).ip ?? '';
      isAdmin(address, basicPart(name), basicPart(secret)).then(
        (admin) => done(null, admin ? {} : false),
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
