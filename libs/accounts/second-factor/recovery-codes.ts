import { randomBytes } from 'node:crypto';
import { sha256 } from '../access/secrets.js';

// Codes for who has lost the phone. Each has 80 random bits, so that a fast hash protects it, as it does a token.

export const RECOVERY_CODES = 10;
const BYTES = 10;
/** Crockford's base 32: no letter looks like another one or a digit. */
const SYMBOLS = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS_OF_SYMBOL = 5n;
const LENGTH = 16;
const CODE = new RegExp(`^[${SYMBOLS}]{${LENGTH}}$`);

function newCode(): string {
  let bits = BigInt(`0x${randomBytes(BYTES).toString('hex')}`);
  const symbols = Array.from({ length: LENGTH }, () => {
    const symbol = SYMBOLS[Number(bits & 31n)];
    bits >>= BITS_OF_SYMBOL;
    return symbol;
  });
  return symbols.join('').replaceAll(/(.{4})(?=.)/g, '$1-');
}

export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newCode);

/** Undefined: the text has not the form of a recovery code. Case, spaces and dashes do not count. */
export function recoveryHashOf(text: string): Buffer | undefined {
  const code = text.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return CODE.test(code) ? sha256(code) : undefined;
}
