import { LRUCache } from 'lru-cache';
import type { Database } from '#platform/database/database.js';
import type { AccessChanges } from './access-changes.js';
import { type AccessRow, findAccessByApiKey, findAccessByToken } from './access-repository.js';
import { accountOfApiKey, readAccountToken, sameHash, sha256 } from './secrets.js';

/** Who is calling: an account, and how it proved it. */
export interface Caller {
  readonly account: AccessRow;
  /** Only a bearer token has an id; an API key cannot log out or make keys. */
  readonly tokenId: bigint | undefined;
}

/** A caller, and until when its credential lives. */
export interface Verified {
  readonly caller: Caller;
  readonly expiresAtMs: number;
}

export interface Authenticator {
  /** Whom this very Authorization header proved to be, if that is remembered and still sure. */
  recall(authorization: string): Caller | undefined;
  /** Runs `verify`, and remembers for the header what it finds. */
  remember(authorization: string, verify: () => Promise<Verified | undefined>): Promise<Caller | undefined>;
  withToken(token: string): Promise<Verified | undefined>;
  withApiKey(apiKey: string, apiSecret: string): Promise<Verified | undefined>;
}

export interface AuthenticatorOptions {
  readonly database: Database;
  readonly changes: AccessChanges;
  readonly now: () => Date;
}

const MAX_CACHED_CALLERS = 10_000;
const MAX_CACHED_MS = 60_000;

const keyOf = (authorization: string) => sha256(authorization).toString('base64');

/**
 * Verified credentials are remembered, so that a request costs a hash and a look-up. The cache holds hashes, never the
 * credential; an entry ends when anything about its account changes in any process.
 */
export function createAuthenticator({ database, changes, now }: AuthenticatorOptions): Authenticator {
  const keysOf = new Map<bigint, Set<string>>();
  const cache = new LRUCache<string, Verified>({
    max: MAX_CACHED_CALLERS,
    ttl: MAX_CACHED_MS,
    dispose({ caller }, key) {
      const keys = keysOf.get(caller.account.accountId);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(caller.account.accountId);
    },
  });
  // A caller read before a change must not be remembered after it.
  let generation = 0;
  changes.onChange((accountId) => {
    generation += 1;
    if (accountId === undefined) return cache.clear();
    for (const key of [...(keysOf.get(accountId) ?? [])]) cache.delete(key);
  });

  return {
    recall(authorization) {
      const known = changes.isTrusted() ? cache.get(keyOf(authorization)) : undefined;
      return known !== undefined && known.expiresAtMs > now().getTime() ? known.caller : undefined;
    },
    async remember(authorization, verify) {
      const trusted = changes.isTrusted();
      const before = generation;
      const found = await verify();
      if (found !== undefined && trusted && before === generation) {
        const key = keyOf(authorization);
        const { accountId } = found.caller.account;
        cache.set(key, found);
        keysOf.set(accountId, (keysOf.get(accountId) ?? new Set()).add(key));
      }
      return found?.caller;
    },
    async withToken(text) {
      const token = readAccountToken(text);
      const row = token && (await findAccessByToken(database, token, now()));
      if (row === undefined) return undefined;
      const { tokenId, expiresAt, ...account } = row;
      return { caller: { account, tokenId }, expiresAtMs: expiresAt.getTime() };
    },
    async withApiKey(apiKey, apiSecret) {
      const accountId = accountOfApiKey(apiKey);
      const row = accountId === undefined ? undefined : await findAccessByApiKey(database, accountId);
      if (row === undefined) return undefined;
      const { apiKey: storedKey, apiSecretHash, ...account } = row;
      const isRight = sameHash(sha256(apiKey), sha256(storedKey)) && sameHash(sha256(apiSecret), apiSecretHash);
      return isRight ? { caller: { account, tokenId: undefined }, expiresAtMs: Number.POSITIVE_INFINITY } : undefined;
    },
  };
}
