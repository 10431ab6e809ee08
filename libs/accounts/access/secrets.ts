import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

// Random secrets are long enough that a plain SHA-256 protects them; only secrets that people choose or type need bcrypt.

const SECRET_BYTES = 32;
const ACCOUNT_TOKEN = /^(\d{1,18})\.([\w-]{43})$/;
const API_KEY = /^key_(\d{1,18})_[\w-]{24}$/;
/** No token or API key is longer. */
const MAX_CREDENTIAL_LENGTH = 200;

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

export function sameHash(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

export interface AccountToken {
  readonly accountId: bigint;
  readonly hash: Buffer;
}

/** Creates a random token that names its account, so that it is found by a key that begins with the account. */
export function createAccountToken(accountId: bigint): AccountToken & { readonly token: string } {
  const token = `${accountId}.${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { accountId, token, hash: sha256(token) };
}

export function readAccountToken(token: string): AccountToken | undefined {
  if (token.length > MAX_CREDENTIAL_LENGTH) return undefined;
  const accountId = ACCOUNT_TOKEN.exec(token)?.[1];
  return accountId === undefined ? undefined : { accountId: BigInt(accountId), hash: sha256(token) };
}

export interface ApiKeyPair {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly secretHash: Buffer;
}

export function createApiKeyPair(accountId: bigint): ApiKeyPair {
  const apiSecret = randomBytes(SECRET_BYTES).toString('base64url');
  const apiKey = `key_${accountId}_${randomBytes(18).toString('base64url')}`;
  return { apiKey, apiSecret, secretHash: sha256(apiSecret) };
}

export function accountOfApiKey(apiKey: string): bigint | undefined {
  if (apiKey.length > MAX_CREDENTIAL_LENGTH) return undefined;
  const accountId = API_KEY.exec(apiKey)?.[1];
  return accountId === undefined ? undefined : BigInt(accountId);
}

/** Eight digits, all equally likely. */
export function createResetCode(): string {
  return String(randomInt(100_000_000)).padStart(8, '0');
}
