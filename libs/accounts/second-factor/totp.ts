import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

// Codes by time (RFC 6238), as every authenticator app makes them.

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** How many steps the clock of a phone may be behind or ahead. */
const DRIFT_STEPS = 1;

const generatorOf = (secret: Buffer, label: string): TOTP =>
  new TOTP({ ...SETTINGS, issuer: 'Betting Ledger', label, secret: Secret.fromHex(secret.toString('hex')) });

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** What an app takes: the secret in base32, and the address that a QR code holds. */
export function shownTotp(secret: Buffer, email: string): { readonly secret: string; readonly uri: string } {
  const generator = generatorOf(secret, email);
  return { secret: generator.secret.base32, uri: generator.toString() };
}

/** The step of time that the code is of; undefined: it is none of this time. The package compares in constant time. */
export function stepOf(secret: Buffer, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const token = code.replaceAll(/\s/g, '');
  const delta = generatorOf(secret, '').validate({ token, timestamp, window: DRIFT_STEPS });
  return delta === null ? undefined : TOTP.counter({ period: SETTINGS.period, timestamp }) + delta;
}
