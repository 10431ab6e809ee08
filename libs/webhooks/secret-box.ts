import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { EndpointKey, StoredSecrets } from './webhook-endpoint.js';

/*
 * The secrets of endpoints, encrypted by AES-256-GCM with a key of the operator. An HMAC needs the secret itself, so a hash
 * would not do. A stored secret names its key, and belongs to its account: in a row of another account it cannot be read.
 */

/** Within the 24 to 64 bytes of Standard Webhooks. */
const SECRET_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SHOWN_AS = 'whsec_';

export interface SecretBox {
  /** Undefined: the secret needs a key that this process does not have. */
  open(accountId: bigint, stored: string): Buffer | undefined;
  seal(accountId: bigint, secret: Buffer): string;
  /** The id of the key that encrypts. */
  readonly keyId: string;
}

const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

const boundTo = (accountId: bigint): Buffer => Buffer.from(`webhook secret of account ${accountId}`);

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** As its owner gets it. */
export const shownSecret = (secret: Buffer): string => `${SHOWN_AS}${secret.toString('base64')}`;

/**
 * What signs at this moment: the secret of an endpoint, and for a while the one before. Undefined: this process has not the
 * key of the first. The second is left out when its key is lost: a rotation mends that.
 */
export function signingSecrets(
  box: SecretBox,
  { accountId, secretNow, secretBefore, secretBeforeUntil }: StoredSecrets & Pick<EndpointKey, 'accountId'>,
  now: Date,
): Buffer[] | undefined {
  const secret = box.open(accountId, secretNow);
  if (secret === undefined) return undefined;
  const isOldAlive = secretBeforeUntil !== null && secretBeforeUntil > now;
  const old = isOldAlive && secretBefore !== null ? box.open(accountId, secretBefore) : undefined;
  return old === undefined ? [secret] : [secret, old];
}

/** The first key encrypts, all of them decrypt. Undefined without a key. */
export function createSecretBox(keys: readonly Buffer[]): SecretBox | undefined {
  const [first] = keys;
  if (first === undefined) return undefined;
  const keyOf = new Map(keys.map((key) => [idOf(key), key]));
  return {
    keyId: idOf(first),
    seal(accountId, secret) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first, iv).setAAD(boundTo(accountId));
      const sealed = Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
      return `${idOf(first)}:${sealed.toString('base64url')}`;
    },
    open(accountId, stored) {
      const [keyId = '', sealed = ''] = stored.split(':');
      const key = keyOf.get(keyId);
      if (key === undefined) return undefined;
      const bytes = Buffer.from(sealed, 'base64url');
      const tagAt = bytes.length - TAG_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(accountId)).setAuthTag(bytes.subarray(tagAt));
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, tagAt)), decipher.final()]);
    },
  };
}
