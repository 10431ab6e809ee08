import type { AccountLocks } from '#jobs/account-lock.js';
import { findUndoneEntry, markDone, type WagerEntryKey } from '#jobs/outbox.js';
import { causeOfEntry } from '#ledger/settlement.js';
import { type Database, withTx } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { checkPortfolios, type PortfolioDifference, touchedUsers } from './portfolio.js';

/** One statement reads the unsettled bets and the recent transactions of so many users. */
const USERS_AT_ONCE = 20;

interface PortfolioJob extends WagerEntryKey {
  /** All users up to this one are checked. */
  readonly afterUserId: bigint;
}

interface PortfolioCheckResult {
  readonly checkedUsers: number;
  readonly differences: readonly PortfolioDifference[];
  /** Null when all users are checked. */
  readonly lastUserId: bigint | null;
}

export interface PortfolioCheckOptions {
  readonly database: Database;
  readonly locks: AccountLocks;
  readonly logger: Logger;
}

/** After the correction of a whole wager: compares the stored figures of its users with the facts, and disputes what differs. */
export interface PortfolioCheck {
  /** Checks the next users; undefined when another job of the account is running. */
  checkNext(job: PortfolioJob): Promise<PortfolioCheckResult | undefined>;
}

export function createPortfolioCheck({ database, locks, logger }: PortfolioCheckOptions): PortfolioCheck {
  async function check(job: PortfolioJob): Promise<PortfolioCheckResult> {
    const { accountId, wagerId } = job;
    const tables = database.of(accountId);
    const entry = await findUndoneEntry(tables, job);
    const userIds = entry !== undefined ? await touchedUsers(tables, { ...job, limit: USERS_AT_ONCE }) : [];
    if (entry === undefined || userIds.length === 0) {
      await markDone(tables, job);
      return { checkedUsers: 0, differences: [], lastUserId: null };
    }
    const users = { accountId, userIds, wagerId, cause: causeOfEntry(entry) };
    const differences = await withTx(tables, (tx) => checkPortfolios(tx, users));
    // Its cause has to be found.
    for (const { userId, wagerId: ofWager, ...difference } of differences) {
      const place = { accountId, userId, wagerId: ofWager ?? wagerId };
      logger.error({ ...place, ...difference }, 'portfolio differs from the facts: the user is disputed');
    }
    return { checkedUsers: userIds.length, differences, lastUserId: userIds.at(-1) ?? null };
  }

  return { checkNext: (job) => locks.tryHolding(job.accountId, () => check(job)) };
}
