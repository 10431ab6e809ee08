import bcrypt from 'bcrypt';

const MAX_PASSWORD_BYTES = 72;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash as with one, so that nobody learns from the time whether an account exists. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
}

export function createPasswords(cost: number): Passwords {
  const nobodysHash = bcrypt.hash('nobody has this password', cost);
  return {
    hash: (password) => bcrypt.hash(password, cost),
    async matches(password, hash) {
      const equal = await bcrypt.compare(password, hash ?? (await nobodysHash));
      // bcrypt looks at the first 72 bytes only; a longer password was never accepted, so it cannot be the right one.
      return equal && hash !== undefined && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
    },
  };
}
