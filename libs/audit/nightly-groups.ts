import { DAY_MS } from '#platform/config/time-units.js';
import type { Queryable, Tx } from '#platform/database/database.js';
import { type AccountGroup, BETS_AT_ONCE } from './account-groups.js';
import { type AccountRange, ALL_ACCOUNTS } from './scope.js';

/*
 * Which accounts a night audits: those that are due, because something happened in their ledger after their closing, and
 * some of those at rest, in turn. So the work of a night does not grow with the number of accounts at rest, and a change of
 * one of them past the guards of the database is found some nights later.
 */

/** So many accounts at rest are audited in a night. */
export const RESTING_A_NIGHT = 100;
/** Reading a few accounts at rest between two that are due costs less than another snapshot. */
const REACH = 10;
/** The day of a closing that closes nothing: everything came after it. */
const BEFORE_ALL_DAYS = '1970-01-01';

/** An account without a closing gets one of nothing, so that it is known since when it waits for its first audit. */
const openMissing = `
  INSERT INTO account_closings (account_id, day, closed_at, last_bet_id, last_trail_id, last_transaction_id, bets,
                                transactions, audit_due_since)
  SELECT a.id, '${BEFORE_ALL_DAYS}', a.created_at, 0, 0, 0, 0, 0, a.created_at
    FROM accounts a LEFT JOIN account_closings c ON c.account_id = a.id
   WHERE c.account_id IS NULL ORDER BY a.id
      ON CONFLICT (account_id) DO NOTHING`;

/**
 * Two look-ups by key for each account: every change of a bet writes a trail entry, all other money a transaction. An account
 * that became due after its closing stays due until it is closed, also when what made it due has passed.
 */
const lookAtAll = `
  SELECT c.account_id AS id, c.day > '${BEFORE_ALL_DAYS}' AS "isClosed", c.audit_due_since IS NOT NULL AS "wasDue",
         c.day = '${BEFORE_ALL_DAYS}' OR c.audit_due_since > c.closed_at
         OR EXISTS (SELECT FROM bet_trails r WHERE r.account_id = c.account_id AND r.id > c.last_trail_id)
         OR EXISTS (SELECT FROM transactions t WHERE t.account_id = c.account_id AND t.id > c.last_transaction_id)
         OR c.account_id IN (SELECT account_id FROM wagers WHERE settling_since IS NOT NULL)
         OR c.account_id IN (SELECT account_id FROM outbox
                              WHERE done_at IS NULL AND (failed_at IS NULL OR topic NOT LIKE '%-mail')) AS "isDue"
    FROM account_closings c ORDER BY c.account_id`;

const betsSinceClosings = `
  SELECT c.account_id AS id, (sum(t.bets) - c.bets)::bigint AS bets
    FROM account_closings c JOIN ledger_totals t ON t.account_id = c.account_id
   WHERE c.account_id = ANY ($1::bigint[]) GROUP BY c.account_id, c.bets`;

interface LookedAtRow {
  readonly id: bigint;
  readonly isClosed: boolean;
  readonly wasDue: boolean;
  readonly isDue: boolean;
}

export interface NightPlan {
  readonly groups: readonly AccountGroup[];
  /** Accounts that this night leaves out. */
  readonly restingAccounts: number;
}

const mark = (tables: Queryable, since: string, accountIds: readonly bigint[]) =>
  tables.run((prisma) =>
    prisma.$executeRawUnsafe(
      `UPDATE account_closings SET audit_due_since = ${since} WHERE account_id = ANY ($1::bigint[])`,
      `{${accountIds.join()}}`,
    ),
  );

/** The accounts are audited every night until one closes them. */
export const markDue = (tables: Queryable, accountIds: readonly bigint[]) =>
  mark(
    tables,
    `CASE WHEN audit_due_since > closed_at THEN audit_due_since
                       WHEN audit_due_since IS NULL THEN now() ELSE closed_at + interval '1 ms' END`,
    accountIds,
  );

const openedSince = `
  SELECT NOT EXISTS (SELECT FROM accounts a LEFT JOIN account_closings c ON c.account_id = a.id
                      WHERE a.id BETWEEN $1 AND $2 AND (c.account_id IS NULL OR c.day = '${BEFORE_ALL_DAYS}')) AS "areClosed"`;

/** Whether each account of a range still has a closing: since the plan one may be new, and a provider may delete one. */
export async function areAllClosed(snapshot: Tx, { from, to }: AccountRange): Promise<boolean> {
  const [{ areClosed }] = await snapshot.prisma.$queryRawUnsafe<[{ areClosed: boolean }]>(openedSince, from, to);
  return areClosed;
}

export async function planNight(
  tables: Queryable,
  { now, betsAtOnce = BETS_AT_ONCE }: { readonly now: Date; readonly betsAtOnce?: number },
): Promise<NightPlan> {
  await tables.run((prisma) => prisma.$executeRawUnsafe(openMissing));
  const rows = await tables.run((prisma) => prisma.$queryRawUnsafe<LookedAtRow[]>(lookAtAll));
  if (rows.length === 0) return { groups: [{ ...ALL_ACCOUNTS, ...NONE }], restingAccounts: 0 };
  const changed = (isDue: boolean) =>
    rows.filter((row) => row.isDue === isDue && row.wasDue !== isDue).map(({ id }) => id);
  await markDue(tables, changed(true));
  await mark(tables, 'NULL', changed(false));
  const due = rows.filter(({ isDue }) => isDue);
  const fresh = await tables.run((prisma) =>
    prisma.$queryRawUnsafe<{ id: bigint; bets: bigint }[]>(betsSinceClosings, `{${due.map(({ id }) => id).join()}}`),
  );
  const bets = new Map(fresh.map((row) => [row.id, row.bets]));
  const inTurn = turnOf(rows.length, now);
  const isAudited = rows.map(({ isDue }, index) => isDue || inTurn(index));
  return groupsOf(rows, isAudited, (id) => bets.get(id) ?? 0n, BigInt(betsAtOnce));
}

const NONE = { accounts: 0, lastAccountId: 0n, isFresh: false };

/** Every night takes the next accounts, by their places in the order of ids. */
function turnOf(accounts: number, now: Date): (index: number) => boolean {
  const first = (Math.floor(now.getTime() / DAY_MS) * RESTING_A_NIGHT) % accounts;
  return (index) => (index - first + accounts) % accounts < RESTING_A_NIGHT;
}

/** Ranges of ids around the audited accounts. A range also has the ids without an account up to the next one. */
function groupsOf(
  rows: readonly LookedAtRow[],
  isAudited: readonly boolean[],
  betsOf: (id: bigint) => bigint,
  betsAtOnce: bigint,
): NightPlan {
  const parts: { first: number; last: number; weight: bigint }[] = [];
  for (const [index, row] of rows.entries()) {
    if (!isAudited[index]) continue;
    const part = parts.at(-1);
    const bets = betsOf(row.id);
    const isNear = part !== undefined && index - part.last <= REACH && part.weight + bets <= betsAtOnce;
    // All accounts of the part up to its last are alike.
    if (isNear && rows.slice(part.last, index).every(({ isClosed }) => isClosed === row.isClosed)) {
      part.last = index;
      part.weight += bets;
    } else parts.push({ first: index, last: index, weight: bets });
  }
  const groups = parts.map(({ first, last }) => ({
    from: first === 0 ? ALL_ACCOUNTS.from : (rows[first]?.id ?? 0n),
    to: (rows[last + 1]?.id ?? ALL_ACCOUNTS.to + 1n) - 1n,
    accounts: last - first + 1,
    lastAccountId: rows[last]?.id ?? 0n,
    isFresh: rows[first]?.isClosed ?? false,
  }));
  const last = groups.at(-1);
  // Accounts of this moment have no closing yet.
  if (last?.isFresh && last.to === ALL_ACCOUNTS.to) {
    groups.push({ ...ALL_ACCOUNTS, ...NONE, from: last.lastAccountId + 1n });
    groups[groups.indexOf(last)] = { ...last, to: last.lastAccountId };
  }
  return { groups, restingAccounts: rows.length - groups.reduce((sum, { accounts }) => sum + accounts, 0) };
}
