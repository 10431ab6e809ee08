import type { Asker } from './fair-line.js';
import { costOfHash } from './hashing.js';
import { createHashingQueue } from './hashing-queue.js';

/** Hashes and compares passwords and reset codes for one asker. Both refuse as overloaded when too many others wait. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash as with one, so that the time does not reveal whether the account exists. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
  /** Whether the hash was made at a lower cost than new ones. */
  isOutdated(hash: string): boolean;
}

/** The passwords of all askers, who share one queue. */
export interface SharedPasswords {
  for(asker: Asker): Passwords;
  /** Throws the refusal that a hash would get now: a request that needs one can be refused before any other work. */
  assertRoom(asker: Asker): void;
  close(): Promise<void>;
}

export function createPasswords(cost: number): SharedPasswords {
  const { run, assertRoom, close } = createHashingQueue();
  return {
    for: (asker) => ({
      hash: async (password) => String(await run({ kind: 'hash', password, cost }, asker)),
      matches: async (password, hash) => (await run({ kind: 'compare', password, hash, cost }, asker)) === true,
      isOutdated: (hash) => (costOfHash(hash) ?? cost) < cost,
    }),
    assertRoom,
    close,
  };
}
