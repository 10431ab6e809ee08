import { randomBytes } from 'node:crypto';
import { createSealedBox } from '#platform/secrets/sealed-box.js';
import type { EndpointKey, StoredSecrets } from './webhook-endpoint.js';

// The secrets of endpoints, encrypted: an HMAC needs the secret itself. Each is bound to its account.

/** Within the 24 to 64 bytes of Standard Webhooks. */
const SECRET_BYTES = 32;
const SHOWN_AS = 'whsec_';

export interface SecretBox {
  /** Undefined: the secret needs a key that this process does not have. */
  open(accountId: bigint, stored: string): Buffer | undefined;
  seal(accountId: bigint, secret: Buffer): string;
  /** The id of the key that encrypts. */
  readonly keyId: string;
}

const boundTo = (accountId: bigint): string => `webhook secret of account ${accountId}`;

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
  const box = createSealedBox(keys);
  return (
    box && {
      keyId: box.keyId,
      seal: (accountId, secret) => box.seal(boundTo(accountId), secret),
      open: (accountId, stored) => box.open(boundTo(accountId), stored),
    }
  );
}
