import { LRUCache } from 'lru-cache';
import type { Database } from '#database/database.js';
import type { AccessChanges } from './access-changes.js';
import { type AccessRow, findAccessByApiKey, findAccessByToken } from './access-repository.js';
import { accountOfApiKey, readAccountToken, sameHash, sha256 } from './secrets.js';

/** Who is calling: an account, and how it proved it. */
export interface Caller {
  readonly account: AccessRow;
  /** Only a bearer token has an id; an API key cannot log out or make keys. */
  readonly tokenId: bigint | undefined;
}

export interface Authenticator {
  withToken(token: string): Promise<Caller | undefined>;
  withApiKey(apiKey: string, apiSecret: string): Promise<Caller | undefined>;
}

export interface AuthenticatorOptions {
  readonly database: Database;
  readonly changes: AccessChanges;
  readonly now: () => Date;
}

interface CachedCaller {
  readonly caller: Caller;
  readonly expiresAtMs: number;
}

const MAX_CACHED_CALLERS = 10_000;
const MAX_CACHED_MS = 60_000;

/**
 * Verified credentials are remembered, so that a request costs a hash and a look-up. The cache holds hashes, never the
 * credential; an entry ends when anything about its account changes in any process.
 */
export function createAuthenticator({ database, changes, now }: AuthenticatorOptions): Authenticator {
  const cache = new LRUCache<string, CachedCaller>({ max: MAX_CACHED_CALLERS, ttl: MAX_CACHED_MS });
  // A caller read before a change must not be remembered after it.
  let generation = 0;
  changes.onChange((accountId) => {
    generation += 1;
    if (accountId === undefined) return cache.clear();
    for (const [key, { caller }] of cache.entries()) {
      if (caller.account.accountId === accountId) cache.delete(key);
    }
  });

  async function remembered(key: string, find: () => Promise<CachedCaller | undefined>): Promise<Caller | undefined> {
    const trusted = changes.isTrusted();
    const known = trusted ? cache.get(key) : undefined;
    if (known !== undefined && known.expiresAtMs > now().getTime()) return known.caller;
    const before = generation;
    const found = await find();
    if (found !== undefined && trusted && before === generation) cache.set(key, found);
    return found?.caller;
  }

  return {
    withToken(text) {
      const token = readAccountToken(text);
      if (token === undefined) return Promise.resolve(undefined);
      return remembered(`token:${token.hash.toString('base64')}`, async () => {
        const row = await findAccessByToken(database, token, now());
        if (row === undefined) return undefined;
        const { tokenId, expiresAt, ...account } = row;
        return { caller: { account, tokenId }, expiresAtMs: expiresAt.getTime() };
      });
    },
    withApiKey(apiKey, apiSecret) {
      const accountId = accountOfApiKey(apiKey);
      if (accountId === undefined) return Promise.resolve(undefined);
      const secretHash = sha256(apiSecret);
      return remembered(`key:${apiKey}:${secretHash.toString('base64')}`, async () => {
        const row = await findAccessByApiKey(database, accountId);
        if (row === undefined) return undefined;
        const { apiKey: storedKey, apiSecretHash, ...account } = row;
        if (!sameHash(sha256(apiKey), sha256(storedKey)) || !sameHash(secretHash, apiSecretHash)) return undefined;
        return { caller: { account, tokenId: undefined }, expiresAtMs: Number.POSITIVE_INFINITY };
      });
    },
  };
}
