import type { Queryable } from '#platform/database/database.js';
import { type AccountRange, ALL_ACCOUNTS } from './scope.js';

/** About as much as fits into memory at once. */
export const BETS_AT_ONCE = 4_000_000;

/** Neighbouring accounts that are audited in one snapshot. */
export interface AccountGroup extends AccountRange {
  /** How many accounts there are in it. */
  readonly accounts: number;
  /** The last of them; 0 when there is none. */
  readonly lastAccountId: bigint;
  /** They have closings, and only what came after those is audited. */
  readonly isFresh: boolean;
}

export interface GroupOptions {
  readonly fromAccount?: bigint;
  readonly betsAtOnce?: number;
}

interface AccountRow {
  readonly id: bigint;
  readonly bets: bigint;
}

/** Groups of accounts by id. Together they cover all ids from `fromAccount` on, also those without an account. */
export async function planGroups(tables: Queryable, options: GroupOptions): Promise<AccountGroup[]> {
  const { fromAccount, betsAtOnce = BETS_AT_ONCE } = options;
  const rows = await tables.$queryRaw<AccountRow[]>`
    SELECT a.id, coalesce(totals.bets, 0)::bigint AS bets
      FROM accounts a
      LEFT JOIN (SELECT account_id, sum(bets) AS bets FROM ledger_totals GROUP BY account_id) totals
        ON totals.account_id = a.id
     WHERE a.id >= ${fromAccount ?? 0n} ORDER BY a.id`;
  const parts: AccountRow[][] = [];
  let weight = 0n;
  for (const row of rows) {
    const part = parts.at(-1);
    weight += row.bets;
    if (part !== undefined && weight <= BigInt(betsAtOnce)) part.push(row);
    else {
      parts.push([row]);
      weight = row.bets;
    }
  }
  return rangesOf(parts, fromAccount ?? ALL_ACCOUNTS.from);
}

function rangesOf(parts: readonly AccountRow[][], first: bigint): AccountGroup[] {
  if (parts.length === 0) return [{ from: first, to: ALL_ACCOUNTS.to, accounts: 0, lastAccountId: 0n, isFresh: false }];
  return parts.map((part, index) => ({
    from: index === 0 ? first : (part[0]?.id ?? first),
    to: (parts[index + 1]?.[0]?.id ?? ALL_ACCOUNTS.to + 1n) - 1n,
    accounts: part.length,
    lastAccountId: part.at(-1)?.id ?? 0n,
    isFresh: false,
  }));
}
