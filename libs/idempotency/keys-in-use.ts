import { Refusal } from '#platform/errors/refusal.js';
import type { KeyedRequest } from './stored-answers.js';

const RETRY_AFTER_SECONDS = 1;

export interface KeysInUse {
  /** Runs the request; refuses when another request with its key is running in this process. */
  use<Result>(request: KeyedRequest, run: () => Promise<Result>): Promise<Result>;
}

/** Two requests with one key in different processes meet in the database: the later one finds the answer of the first. */
export function createKeysInUse(): KeysInUse {
  const inUse = new Set<string>();
  return {
    async use({ accountId, key }, run) {
      const name = `${accountId} ${key}`;
      if (inUse.has(name)) throw new Refusal('key-in-use', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      inUse.add(name);
      try {
        return await run();
      } finally {
        inUse.delete(name);
      }
    },
  };
}
