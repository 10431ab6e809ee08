import { costOfHash } from './hashing.js';
import { createHashingQueue } from './hashing-queue.js';

/** Hashes and compares passwords and reset codes. Both refuse as overloaded when too many others wait. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash as with one, so that the time does not reveal whether the account exists. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
  /** Whether the hash was made at a lower cost than new ones. */
  isOutdated(hash: string): boolean;
  /** Throws the refusal that a hash would get now: a request that needs one can be refused before any other work. */
  assertRoom(): void;
  close(): Promise<void>;
}

export function createPasswords(cost: number): Passwords {
  const { run, assertRoom, close } = createHashingQueue();
  return {
    hash: async (password) => String(await run({ kind: 'hash', password, cost })),
    matches: async (password, hash) => (await run({ kind: 'compare', password, hash, cost })) === true,
    isOutdated: (hash) => (costOfHash(hash) ?? cost) < cost,
    assertRoom,
    close,
  };
}
