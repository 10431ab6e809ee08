import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/*
 * Secrets that must be read again, so that a hash would not do, encrypted by AES-256-GCM with a key of the provider. A stored
 * secret names its key, and is bound to its owner: in the row of another owner it cannot be read.
 */

const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface SealedBox {
  /** Undefined: the secret needs a key that this process does not have. */
  open(owner: string, stored: string): Buffer | undefined;
  seal(owner: string, secret: Buffer): string;
  /** The id of the key that encrypts. */
  readonly keyId: string;
}

const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

/** The first key encrypts, all of them decrypt. Undefined without a key. */
export function createSealedBox(keys: readonly Buffer[]): SealedBox | undefined {
  const [first] = keys;
  if (first === undefined) return undefined;
  const keyOf = new Map(keys.map((key) => [idOf(key), key]));
  return {
    keyId: idOf(first),
    seal(owner, secret) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first, iv).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
      return `${idOf(first)}:${sealed.toString('base64url')}`;
    },
    open(owner, stored) {
      const [keyId = '', sealed = ''] = stored.split(':');
      const key = keyOf.get(keyId);
      if (key === undefined) return undefined;
      const bytes = Buffer.from(sealed, 'base64url');
      const tagAt = bytes.length - TAG_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(tagAt));
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, tagAt)), decipher.final()]);
    },
  };
}
