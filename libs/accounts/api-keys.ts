import type { Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { type ApiKey, countApiKeys, dateNewestKey, deleteApiKeys, insertApiKey } from './access/api-key-repository.js';
import { assertProven, lockCaller } from './access/caller-guard.js';
import type { KeyRole } from './access/caller-role.js';
import { type ApiKeyPair, createApiKeyPair } from './access/secrets.js';
import { lockAccount } from './account-repository.js';
import { type CausedContext, changeAccess } from './accounts-context.js';
import type { NewEvent } from './events/account-event.js';
import { recordEvents } from './events/record-events.js';

/** The key that generate-keys makes and replaces. */
export const DEFAULT_KEY = 'default';
/** An account has a key for each of its servers; the list of them stays short. */
const MAX_API_KEYS = 50;

export interface KeyRequest {
  readonly accountId: bigint;
  /** Who makes it. */
  readonly operatorId: bigint | undefined;
  /** The caller's session. */
  readonly tokenId: bigint;
  readonly name: string;
  /** Never above the maker's: only owners make keys. */
  readonly role: KeyRole;
  readonly expiresAt: Date | null;
  /** Whether the key takes the place of one with its name. */
  readonly replaces: boolean;
  /** The hash of the password that the caller has proved to know; undefined: it gave none. */
  readonly provenHash: string | undefined;
}

export type NewKey = ApiKey & Pick<ApiKeyPair, 'apiSecret'>;

const shown = ({ id, name, role, expiresAt }: ApiKey) => ({ id: Number(id), name, role, expires_at: expiresAt });

/** Who made it gets the mail. */
const idsOfMaker = (operatorId: bigint | undefined) =>
  operatorId === undefined ? {} : { operatorId: String(operatorId) };

const revoked = (accountId: bigint, key: ApiKey): NewEvent => ({
  accountId,
  type: 'api-key-revoked',
  before: shown(key),
});

/** Of an account that the transaction has made. */
export async function insertFirstKey(
  tx: Tx,
  { cause, now }: CausedContext,
  { accountId, name }: Pick<KeyRequest, 'accountId' | 'name'>,
): Promise<NewKey> {
  const pair = createApiKeyPair(accountId);
  const createdAt = now();
  const key = await insertApiKey(tx, {
    accountId,
    operatorId: null,
    name,
    role: 'owner',
    expiresAt: null,
    createdAt,
    pair,
  });
  if (key === undefined) throw new Refusal('api-key-name-taken');
  await dateNewestKey(tx, accountId, createdAt);
  await recordEvents(tx, cause, [{ accountId, type: 'api-key-created', after: shown(key) }]);
  return { ...key, apiSecret: pair.apiSecret };
}

/** In the transaction that has locked the account. */
async function replaceOrInsert(tx: Tx, { cause, now }: CausedContext, request: KeyRequest, pair: ApiKeyPair) {
  const { accountId, operatorId = null, name, role, expiresAt } = request;
  const replaced = request.replaces ? await deleteApiKeys(tx, accountId, { name }) : [];
  if ((await countApiKeys(tx, accountId)) >= MAX_API_KEYS) throw new Refusal('too-many-api-keys');
  const createdAt = now();
  const key = await insertApiKey(tx, { accountId, operatorId, name, role, expiresAt, createdAt, pair });
  if (key === undefined) throw new Refusal('api-key-name-taken');
  await dateNewestKey(tx, accountId, createdAt);
  const events = replaced.map((old) => revoked(accountId, old));
  await recordEvents(tx, cause, [...events, { accountId, type: 'api-key-created', after: shown(key) }]);
  return key;
}

/** Makes a key and mails the account; undefined when the caller's session has ended. Only the answer has the secret. */
export async function createApiKey(context: CausedContext, request: KeyRequest): Promise<NewKey | undefined> {
  const { accountId, provenHash } = request;
  const pair = createApiKeyPair(accountId);
  return changeAccess(context, accountId, async (tx, addEntry) => {
    const guard = await lockCaller(tx, request, provenHash);
    if (!guard.isAlive) return undefined;
    assertProven(guard, provenHash);
    const key = await replaceOrInsert(tx, context, request, pair);
    await addEntry(accountId, 'api-key-created-mail', idsOfMaker(request.operatorId));
    return { ...key, apiSecret: pair.apiSecret };
  });
}

/** Returns after every process knows that the key opens nothing any more. */
export async function revokeApiKey(context: CausedContext, accountId: bigint, id: bigint): Promise<void> {
  await changeAccess(context, accountId, async (tx) => {
    await lockAccount(tx, accountId);
    const [key] = await deleteApiKeys(tx, accountId, { id });
    if (key === undefined) throw new Refusal('api-key-not-found');
    await dateNewestKey(tx, accountId, context.now());
    await recordEvents(tx, context.cause, [revoked(accountId, key)]);
  });
}
