import type { Database } from '#platform/database/database.js';
import { inAllPlacements } from '#platform/database/placement.js';

// Transactions from before the column `balance_after` have none. They are filled user by user, the oldest first, in steps. A
// step is one statement, so a process may end at any moment, and any number of them may fill: a filled row stays as it is.

/** A step takes some 100 ms. */
const STEP_ROWS = 5_000;

interface UnfilledPlace {
  readonly accountId: bigint;
  readonly userId: bigint;
  readonly id: bigint;
}

const FIRST: UnfilledPlace = { accountId: 0n, userId: 0n, id: 0n };

/** Read from the index of unfilled rows alone. */
async function nextUnfilled(database: Database, { accountId, userId, id }: UnfilledPlace) {
  const [place] = await database.$queryRaw<UnfilledPlace[]>`
    SELECT account_id AS "accountId", user_id AS "userId", id FROM transactions
     WHERE balance_after IS NULL AND (account_id, user_id, id) >= (${accountId}, ${userId}, ${id})
     ORDER BY account_id, user_id, id LIMIT 1`;
  return place;
}

/** The user's transactions from this one on; all before it are filled. */
const fillFrom = (database: Database, { accountId, userId, id }: UnfilledPlace, limit: number): Promise<number> =>
  database.$executeRaw`
    UPDATE transactions t SET balance_after = due.balance
      FROM (SELECT n.id, (start.balance + sum(CASE n.transaction_type WHEN 'credit' THEN n.amount WHEN 'debit' THEN -n.amount
                   ELSE 0 END) OVER (ORDER BY n.id))::bigint AS balance
              FROM (SELECT coalesce((SELECT b.balance_after FROM transactions b
                                      WHERE b.account_id = ${accountId} AND b.user_id = ${userId} AND b.id < ${id}
                                      ORDER BY b.id DESC LIMIT 1), 0) AS balance) start
             CROSS JOIN (SELECT id, amount, transaction_type FROM transactions
                          WHERE account_id = ${accountId} AND user_id = ${userId} AND id >= ${id}
                          ORDER BY id LIMIT ${limit}) n) due
     WHERE t.account_id = ${accountId} AND t.id = due.id AND t.balance_after IS NULL`;

export interface BalanceFilling {
  /** Whether a transaction may still be unfilled; once none is, every later one is written with its balance. */
  isNeeded(): Promise<boolean>;
  /** Undefined: nothing was left. */
  fillNext(): Promise<number | undefined>;
}

function createFillingOf(database: Database, stepRows: number): BalanceFilling {
  /** This process goes on here, instead of passing the index entries of all that it has filled. */
  let reached = FIRST;
  let isDone = false;

  async function findNext(): Promise<UnfilledPlace | undefined> {
    if (isDone) return undefined;
    const found = (await nextUnfilled(database, reached)) ?? (await nextUnfilled(database, FIRST));
    isDone = found === undefined;
    return found;
  }

  return {
    isNeeded: async () => (await findNext()) !== undefined,
    async fillNext() {
      const place = await findNext();
      if (place === undefined) return undefined;
      const count = await fillFrom(database, place, stepRows);
      reached = place;
      return count;
    },
  };
}

/** A step is of each placement. A node that is away holds up no other. */
export function createBalanceFilling(database: Database, stepRows = STEP_ROWS): BalanceFilling {
  const fillings = new Map<Database, BalanceFilling>();

  function fillingOf(placement: Database): BalanceFilling {
    const filling = fillings.get(placement) ?? createFillingOf(placement, stepRows);
    fillings.set(placement, filling);
    return filling;
  }

  return {
    async isNeeded() {
      const needed = await inAllPlacements(database, (placement) => fillingOf(placement).isNeeded());
      return needed.includes(true);
    },
    async fillNext() {
      const counts = await inAllPlacements(database, (placement) => fillingOf(placement).fillNext());
      const filled = counts.filter((count) => count !== undefined);
      return filled.length === 0 ? undefined : filled.reduce((sum, count) => sum + count, 0);
    },
  };
}
