import bcrypt from 'bcrypt';

const MAX_PASSWORD_BYTES = 72;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash as with one, so that the time does not reveal whether the account exists. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
}

export function createPasswords(cost: number): Passwords {
  const placeholderHash = bcrypt.hash('the password of no account', cost);
  return {
    hash: (password) => bcrypt.hash(password, cost),
    async matches(password, hash) {
      const equal = await bcrypt.compare(password, hash ?? (await placeholderHash));
      // bcrypt compares the first 72 bytes only. No longer password was ever accepted, so a longer one is wrong.
      return equal && hash !== undefined && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
    },
  };
}
