/** How many requests of one account a process sends at the same time: a slow receiver leaves the others theirs. */
const SOCKETS_OF_ACCOUNT = 8;

/** The sockets of this process. */
export interface Sockets {
  /** False: the account has as many as it may. */
  take(accountId: bigint): boolean;
  release(accountId: bigint): void;
}

export function createSockets(limit: number = SOCKETS_OF_ACCOUNT): Sockets {
  const taken = new Map<bigint, number>();
  return {
    take(accountId) {
      const count = taken.get(accountId) ?? 0;
      if (count >= limit) return false;
      taken.set(accountId, count + 1);
      return true;
    },
    release(accountId) {
      const count = (taken.get(accountId) ?? 1) - 1;
      if (count > 0) taken.set(accountId, count);
      else taken.delete(accountId);
    },
  };
}
