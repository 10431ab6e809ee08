import type { Job } from 'bullmq';
import { LRUCache } from 'lru-cache';
import type { Database } from '#platform/database/database.js';
import { type OnQuotaRefused, QuotaUse } from '#platform/quotas/quota-use.js';
import type { QuotaName } from '#platform/quotas/quotas.js';
import { toBackOfQueue } from './queue-worker.js';

const WAIT_MS = 250;
/** The network of an account never changes. */
const REMEMBERED_ACCOUNTS = 10_000;

interface Turn {
  readonly quota: QuotaName;
  readonly accountId: bigint;
  readonly job: Job;
  readonly token: string | undefined;
}

/** Runs work within a quota of its account. Without room, the job goes to the back of its queue. */
export type InTurnOfAccount = <Result>(turn: Turn, work: () => Promise<Result>) => Promise<Result>;

export function createTurnsOfAccounts(database: Database, onRefused: OnQuotaRefused): InTurnOfAccount {
  const use = new QuotaUse(onRefused);
  const networks = new LRUCache<bigint, { readonly registeredFrom: string | null }>({ max: REMEMBERED_ACCOUNTS });

  async function networkOf(accountId: bigint) {
    const known = networks.get(accountId);
    if (known !== undefined) return known;
    const account = await database.shared.run((prisma) =>
      prisma.account.findUnique({
        where: { id: accountId },
        select: { registeredFrom: true },
      }),
    );
    const found = { registeredFrom: account?.registeredFrom ?? null };
    networks.set(accountId, found);
    return found;
  }

  return async ({ quota, accountId, job, token }, work) => {
    const release = use.tryTake(quota, { accountId, ...(await networkOf(accountId)) });
    if (release === undefined) return toBackOfQueue(job, token, WAIT_MS);
    try {
      return await work();
    } finally {
      release();
    }
  };
}
