import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type StoredActor, storedActor } from '#events/event-cause.js';
import type { Database } from '#platform/database/database.js';
import type { Actor } from '../events/account-event.js';
import type { OperatorName } from '../operators/operator.js';
import type { AccessChanges } from './access-changes.js';
import {
  type AccessRow,
  type ApiKeyAccessRow,
  findAccessByApiKey,
  findAccessByToken,
  type TokenAccessRow,
} from './access-repository.js';
import { type CallerRole, roleOfKey } from './caller-role.js';
import type { CredentialUses } from './credential-uses.js';
import { accountOfApiKey, readAccountToken, sameHash, sha256 } from './secrets.js';

/** The account that calls, and its credential. */
export interface Caller {
  readonly account: AccessRow;
  /** Of a bearer token: it is a session. An API key cannot log out or make keys. */
  readonly tokenId: bigint | undefined;
  readonly apiKey: { readonly id: bigint; readonly name: string } | undefined;
  /** Who has logged in, or made the key; undefined: the key came with a sandbox. */
  readonly operator: (OperatorName & { readonly email: string }) | undefined;
  /** Of the operator, or of the key. */
  readonly role: CallerRole;
  /** What the event log says of it. */
  readonly storedActor: StoredActor;
  /** When the credential expires. */
  readonly expiresAtMs: number;
  /** When the person proved to use the session, by `performance.now()`. Of a key there is nothing to prove. */
  readonly provedAtMs: number;
  /** Of the operator: then its password alone proves nothing. */
  readonly hasSecondFactor: boolean;
  /** The account, or the service, asks operators for a second factor, and the one of this session has none. */
  readonly mustAddFactor: boolean;
  /** An admin without the second factor that the service asks admins for: it has no rights of an admin. */
  readonly isAdminLocked: boolean;
}

/** A caller is an admin on the routes that only admins may call. */
export const actorOfCaller = ({ account, apiKey, operator }: Caller, isAdmin: boolean): Actor => ({
  type: isAdmin ? 'admin' : apiKey === undefined ? 'account' : 'key',
  account_id: Number(account.accountId),
  api_key_id: apiKey === undefined ? null : Number(apiKey.id),
  operator_id: operator === undefined ? null : Number(operator.id),
  name: (isAdmin || apiKey === undefined ? operator?.name : apiKey.name) ?? null,
});

export interface Authenticator {
  /** Returns the cached caller of this Authorization header, if the cache may be trusted. */
  recall(authorization: string): Caller | undefined;
  /** Runs `verify`, and caches its result for the header. */
  remember(authorization: string, verify: () => Promise<Caller | undefined>): Promise<Caller | undefined>;
  withToken(token: string): Promise<Caller | undefined>;
  withApiKey(apiKey: string, apiSecret: string): Promise<Caller | undefined>;
}

export interface AuthenticatorOptions {
  readonly database: Database;
  readonly changes: AccessChanges;
  readonly uses: CredentialUses;
  readonly needsFactor: FactorNeeds;
}

/** Of whom the service asks a second factor, beside what accounts ask of their people. */
interface FactorNeeds {
  readonly adminsNeedSecondFactor: boolean;
  readonly allNeedSecondFactor: boolean;
}

const MAX_CACHED_CALLERS = 10_000;
const MAX_CACHED_MS = 60_000;

const keyOf = (authorization: string) => hash('sha256', authorization, 'base64');

interface Shown extends Pick<Caller, 'tokenId' | 'apiKey' | 'role' | 'operator' | 'provedAtMs' | 'hasSecondFactor'> {
  readonly expiresAt: Date | null;
}

const callerOf = (
  account: AccessRow,
  { expiresAt, hasSecondFactor, ...shown }: Shown,
  { adminsNeedSecondFactor, allNeedSecondFactor }: FactorNeeds,
): Caller => ({
  account,
  tokenId: shown.tokenId,
  apiKey: shown.apiKey,
  operator: shown.operator,
  role: shown.role,
  storedActor: storedActor('account', {
    accountId: account.accountId,
    apiKeyId: shown.apiKey?.id,
    operator: shown.operator,
  }),
  expiresAtMs: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  provedAtMs: shown.provedAtMs,
  hasSecondFactor,
  mustAddFactor:
    shown.tokenId !== undefined && (account.requiresSecondFactor || allNeedSecondFactor) && !hasSecondFactor,
  isAdminLocked: adminsNeedSecondFactor && account.role === 'admin' && !hasSecondFactor,
});

function callerOfToken(row: TokenAccessRow, needs: FactorNeeds): Caller {
  const { tokenId, expiresAt, hasSecondFactor, provedAgoMs, ...rest } = row;
  const { operatorId, operatorName, operatorEmail, operatorRole: role, ...account } = rest;
  const operator = { id: operatorId, name: operatorName, email: operatorEmail };
  const provedAtMs = performance.now() - provedAgoMs;
  const shown = { tokenId, apiKey: undefined, operator, role, expiresAt, hasSecondFactor, provedAtMs };
  return callerOf(account, shown, needs);
}

function callerOfKey(row: ApiKeyAccessRow, needs: FactorNeeds): Caller {
  const { keyId, keyName, keyRole, secretHash: _, expiresAt, ...rest } = row;
  const { operatorId, operatorName, operatorEmail, operatorRole, hasSecondFactor, ...account } = rest;
  const role = operatorRole === null ? keyRole : roleOfKey(keyRole, operatorRole);
  const named = { name: operatorName ?? '', email: operatorEmail ?? '' };
  const operator = operatorId === null ? undefined : { id: operatorId, ...named };
  const apiKey = { id: keyId, name: keyName };
  const provedAtMs = Number.POSITIVE_INFINITY;
  const shown = { tokenId: undefined, apiKey, operator, role, expiresAt, hasSecondFactor, provedAtMs };
  return callerOf(account, shown, needs);
}

/**
 * Verified credentials are cached, so that a request costs a hash and a look-up. The cache contains hashes, never the
 * credential. Any change of an account, in any process, deletes its cached credentials.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { database, changes, uses, needsFactor } = options;
  const keysOf = new Map<bigint, Set<string>>();
  const cache = new LRUCache<string, Caller>({
    max: MAX_CACHED_CALLERS,
    ttl: MAX_CACHED_MS,
    dispose({ account: { accountId } }, key) {
      const keys = keysOf.get(accountId);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(accountId);
    },
  });
  // A caller that was read before a change must not be cached after it.
  let generation = 0;
  changes.onChange((accountId) => {
    generation += 1;
    if (accountId === undefined) return cache.clear();
    for (const key of [...(keysOf.get(accountId) ?? [])]) cache.delete(key);
  });

  const isTrusted = () => performance.now() < changes.trustedUntilMs;
  const noteUse = ({ account: { accountId }, tokenId, apiKey }: Caller) =>
    uses.note({ accountId, tokenId, apiKeyId: apiKey?.id });

  return {
    recall(authorization) {
      const known = isTrusted() ? cache.get(keyOf(authorization)) : undefined;
      return known !== undefined && known.expiresAtMs > Date.now() ? known : undefined;
    },
    async remember(authorization, verify) {
      const trusted = isTrusted();
      const before = generation;
      const found = await verify();
      if (found !== undefined) noteUse(found);
      if (found !== undefined && trusted && before === generation) {
        const key = keyOf(authorization);
        const { accountId } = found.account;
        cache.set(key, found);
        keysOf.set(accountId, (keysOf.get(accountId) ?? new Set()).add(key));
      }
      return found;
    },
    async withToken(text) {
      const token = readAccountToken(text);
      const row = token && (await findAccessByToken(database.shared, token, new Date()));
      return row && callerOfToken(row, needsFactor);
    },
    async withApiKey(apiKey, apiSecret) {
      const accountId = accountOfApiKey(apiKey);
      const row =
        accountId === undefined
          ? undefined
          : await findAccessByApiKey(database.shared, { accountId, apiKey }, new Date());
      if (row === undefined || !sameHash(sha256(apiSecret), row.secretHash)) return undefined;
      return callerOfKey(row, needsFactor);
    },
  };
}
