import { DAY_MS, HOUR_MS } from '#platform/config/time-units.js';
import type { Database, Queryable } from '#platform/database/database.js';
import type { AccountRange } from './scope.js';

/*
 * A closing is what an account's ledger came to at the end of a day. It is cut by id, not by time: up to the last row that
 * the day began. At least an hour later, when every transaction of that day has ended, no row with a lower id can appear.
 */

/** The first moment (UTC) after the last day that can be closed now. */
export function endOfClosableDay(now: Date): Date {
  const end = new Date(now.getTime() - HOUR_MS);
  end.setUTCHours(0, 0, 0, 0);
  return end;
}

/** The day that ended there. */
export const dayBefore = (dayEnd: Date): string => new Date(dayEnd.getTime() - DAY_MS).toISOString().slice(0, 10);

/** The closing that an audit proposes: where the day ended, and where the last closing did. */
export interface ProposedClosing {
  readonly accountId: bigint;
  readonly lastBetId: bigint;
  readonly lastTrailId: bigint;
  readonly lastTransactionId: bigint;
  readonly bets: bigint;
  readonly transactions: bigint;
  /** Up to here the account is closed already; 0 for the first time. */
  readonly closedTransactionId: bigint;
}

const lastIdBefore = (table: string): string => `
  coalesce((SELECT id FROM ${table} WHERE account_id = a.id AND created_at < $1::timestamptz ORDER BY id DESC LIMIT 1), 0)`;

const countUpTo = (table: string, last: string): string => `
  coalesce(c.${table}, 0) + (SELECT count(*) FROM ${table} t
     WHERE t.account_id = n.account_id AND t.id > n.closed_${last} AND t.id <= n.last_${last})`;

const proposal = `
  SELECT n.account_id AS "accountId", n.last_bet_id AS "lastBetId", n.last_trail_id AS "lastTrailId",
         n.last_transaction_id AS "lastTransactionId", n.closed_transaction_id AS "closedTransactionId",
         ${countUpTo('bets', 'bet_id')} AS bets, ${countUpTo('transactions', 'transaction_id')} AS transactions
    FROM (SELECT a.id AS account_id, ${lastIdBefore('bets')} AS last_bet_id, ${lastIdBefore('bet_trails')} AS last_trail_id,
                 ${lastIdBefore('transactions')} AS last_transaction_id, coalesce(c.last_bet_id, 0) AS closed_bet_id,
                 coalesce(c.last_transaction_id, 0) AS closed_transaction_id
            FROM accounts a LEFT JOIN account_closings c ON c.account_id = a.id
           WHERE a.id BETWEEN $2 AND $3 AND (c.day IS NULL OR c.day < ($1::timestamptz AT TIME ZONE 'UTC')::date - 1)
          OFFSET 0) n
    LEFT JOIN account_closings c ON c.account_id = n.account_id`;

/** The closings that are due, in the snapshot that was audited. */
export async function proposeClosings(
  snapshot: Queryable,
  { from, to }: AccountRange,
  dayEnd: Date,
): Promise<ProposedClosing[]> {
  await snapshot.$executeRawUnsafe(`SET LOCAL enable_nestloop = on`);
  const closings = await snapshot.$queryRawUnsafe<ProposedClosing[]>(proposal, dayEnd, from, to);
  await snapshot.$executeRawUnsafe(`SET LOCAL enable_nestloop = off`);
  return closings;
}

const sumOf = (source: string, received: string): string =>
  `coalesce(sum(${received}) FILTER (WHERE t.transaction_source = '${source}'), 0)`;

const change = `CASE t.transaction_type WHEN 'credit' THEN t.amount WHEN 'debit' THEN -t.amount ELSE 0 END`;

/** Of users with a transaction since their last closing. */
const insertDaily = `
  INSERT INTO daily_closings (account_id, user_id, day, balance, funding, withdrawal, bet, last_transaction_id)
  SELECT n.account_id, s.user_id, $1::date, coalesce(last.balance, 0) + s.funding - s.withdrawal + s.bet,
         coalesce(last.funding, 0) + s.funding, coalesce(last.withdrawal, 0) + s.withdrawal,
         coalesce(last.bet, 0) + s.bet, s.last_id
    FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS n (account_id, after_id, up_to_id)
   CROSS JOIN LATERAL (
      SELECT t.user_id, ${sumOf('funding', change)} AS funding, ${sumOf('withdrawal', `-(${change})`)} AS withdrawal,
             ${sumOf('bet', change)} AS bet, max(t.id) AS last_id
        FROM transactions t
       WHERE t.account_id = n.account_id AND t.id > n.after_id AND t.id <= n.up_to_id GROUP BY t.user_id) s
    LEFT JOIN LATERAL (SELECT * FROM daily_closings d WHERE d.account_id = n.account_id AND d.user_id = s.user_id
                        ORDER BY d.day DESC LIMIT 1) last ON true`;

const upsertAccounts = `
  INSERT INTO account_closings AS stored
         (account_id, day, closed_at, last_bet_id, last_trail_id, last_transaction_id, bets, transactions,
          audit_due_since)
  SELECT n.account_id, $1::date, $2::timestamptz, n.bet_id, n.trail_id, n.transaction_id, n.bets, n.transactions,
         $2::timestamptz
    FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
         AS n (account_id, bet_id, trail_id, transaction_id, bets, transactions)
   ORDER BY n.account_id
      ON CONFLICT (account_id) DO UPDATE
     SET day = excluded.day, closed_at = excluded.closed_at, last_bet_id = excluded.last_bet_id,
         last_trail_id = excluded.last_trail_id, last_transaction_id = excluded.last_transaction_id,
         bets = excluded.bets, transactions = excluded.transactions, audit_due_since = excluded.audit_due_since
   WHERE stored.day < excluded.day
  RETURNING account_id AS "accountId"`;

export interface ClosingsToWrite {
  readonly closings: readonly ProposedClosing[];
  readonly dayEnd: Date;
  readonly closedAt: Date;
}

const TIMEOUT_MS = 30 * 60_000;
const CONNECTION_WAIT_MS = 10_000;

/** Writes the closings that an audit confirmed, and returns how many accounts were closed. The sums are of final rows. */
export async function writeClosings(database: Database, options: ClosingsToWrite): Promise<number> {
  const { closings, dayEnd, closedAt } = options;
  if (closings.length === 0) return 0;
  const day = dayBefore(dayEnd);
  const column = (pick: (closing: ProposedClosing) => bigint, of = closings) => `{${of.map(pick).join()}}`;
  return database.$transaction(
    async (tx) => {
      await tx.$executeRawUnsafe(`SET LOCAL statement_timeout = ${TIMEOUT_MS}`);
      const rows = await tx.$queryRawUnsafe<{ accountId: bigint }[]>(
        upsertAccounts,
        day,
        closedAt,
        column(({ accountId }) => accountId),
        column(({ lastBetId }) => lastBetId),
        column(({ lastTrailId }) => lastTrailId),
        column(({ lastTransactionId }) => lastTransactionId),
        column(({ bets }) => bets),
        column(({ transactions }) => transactions),
      );
      // Another audit may have closed an account meanwhile.
      const written = new Set(rows.map(({ accountId }) => accountId));
      const fresh = closings.filter(({ accountId }) => written.has(accountId));
      await tx.$executeRawUnsafe(
        insertDaily,
        day,
        column(({ accountId }) => accountId, fresh),
        column(({ closedTransactionId }) => closedTransactionId, fresh),
        column(({ lastTransactionId }) => lastTransactionId, fresh),
      );
      return fresh.length;
    },
    { timeout: TIMEOUT_MS, maxWait: CONNECTION_WAIT_MS },
  );
}
