import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import passport from 'passport';
import { BasicStrategy } from 'passport-http';
import type { AccessChanges } from '#access/access-changes.js';
import type { Passwords } from '#access/passwords.js';
import { sha256 } from '#access/secrets.js';
import { findLoginByEmail } from '#accounts/account-repository.js';
import type { Database } from '#database/database.js';
import type { RateLimits } from '#limits/rate-limits.js';

export interface AdminGateOptions {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly changes: AccessChanges;
  readonly limits: RateLimits;
}

const MAX_CACHED_ADMINS = 1_000;
const MAX_CACHED_MS = 60_000;

/** Admits an admin account's e-mail and password, by HTTP Basic; everybody else gets a 401 on every path. */
export function createAdminGate({ database, passwords, changes, limits }: AdminGateOptions): RequestHandler {
  // A page is many requests: the password is checked once, and again as soon as anything about any account changes.
  const admitted = new LRUCache<string, true>({ max: MAX_CACHED_ADMINS, ttl: MAX_CACHED_MS });
  let generation = 0;
  changes.onChange(() => {
    generation += 1;
    admitted.clear();
  });

  async function isAdmin(address: string, email: string, password: string): Promise<boolean> {
    const key = sha256(JSON.stringify([email, password])).toString('base64');
    const trusted = changes.isTrusted();
    if (trusted && admitted.has(key)) return true;
    const here = `${address} ${email}`;
    await limits.count('login-here', here);
    await limits.count('login-anywhere', email);
    const before = generation;
    const login = await findLoginByEmail(database, email);
    const known = await passwords.matches(password, login?.passwordHash);
    if (!known || login?.role !== 'admin') return false;
    if (trusted && before === generation) admitted.set(key, true);
    await Promise.all([limits.forgive('login-here', here), limits.forgive('login-anywhere', email)]);
    return true;
  }

  const gate = new passport.Passport();
  gate.use(
    new BasicStrategy(
      { realm: 'Betting Ledger operators', passReqToCallback: true },
      (request, email, password, done) => {
        const address = (request as { ip?: string }).ip ?? '';
        isAdmin(address, email, password).then(
          (admin) => done(null, admin ? { email } : false),
          (error) => done(error),
        );
      },
    ),
  );
  return gate.authenticate('basic', { session: false });
}
