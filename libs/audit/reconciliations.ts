import type { Database, Queryable } from '#platform/database/database.js';
import type { AccountGroup } from './account-groups.js';
import type { Finding } from './check.js';
import { received } from './facts.js';

// What all transactions of an account come to on a day (UTC), written in the night after it by the audit, with its verdict.

/** Far longer than a transaction waits for its commit, or than a clock is set back. */
const DISORDER = `interval '1 hour'`;

/**
 * The account's transactions from a moment on, each with `reached`: the latest time of the user up to it. A transaction
 * belongs to the day of that time, as in a statement, so a user's balances chain even where times are out of order.
 */
export const reachedFrom = (accountId: string, from: string): string => `
  SELECT t.*, max(t.created_at) OVER (PARTITION BY t.user_id ORDER BY t.id) AS reached
    FROM transactions t WHERE t.account_id = ${accountId} AND t.created_at >= ${from} - ${DISORDER}`;

export interface DayOfAccount {
  readonly accountId: bigint;
  /** As numeric text: the sums may pass 64 bits. */
  readonly openingBalance: string;
  readonly funded: string;
  readonly withdrawn: string;
  readonly betCredits: string;
  readonly betDebits: string;
  readonly transactions: bigint;
  readonly firstTransactionId: bigint | null;
  readonly lastTransactionId: bigint | null;
  readonly openExposure: string;
}

const sumOf = (condition: string): string => `coalesce(sum(t.amount) FILTER (WHERE ${condition}), 0)::text`;

/** The closing balance of the day before when it is known, else the sum of all transactions before the day. */
const opening = `
  coalesce((SELECT r.closing_balance FROM daily_reconciliations r WHERE r.account_id = a.id AND r.day = $1::date - 1),
           (SELECT sum(${received}) FROM (${reachedFrom('a.id', `'-infinity'::timestamptz`)}) t WHERE t.reached < n.day_start),
           0)::text`;

const days = `
  SELECT a.id AS "accountId", ${opening} AS "openingBalance", day.*,
         coalesce((SELECT sum(b.exposure) FROM balances b WHERE b.account_id = a.id), 0)::text AS "openExposure"
    FROM (SELECT $1::date::timestamp AT TIME ZONE 'UTC' AS day_start,
                 ($1::date + 1)::timestamp AT TIME ZONE 'UTC' AS day_end) n
   CROSS JOIN accounts a
   CROSS JOIN LATERAL (
     SELECT ${sumOf(`t.transaction_source = 'funding'`)} AS funded,
            ${sumOf(`t.transaction_source = 'withdrawal'`)} AS withdrawn,
            ${sumOf(`t.transaction_source = 'bet' AND t.transaction_type = 'credit'`)} AS "betCredits",
            ${sumOf(`t.transaction_source = 'bet' AND t.transaction_type = 'debit'`)} AS "betDebits",
            count(*) AS transactions, min(t.id) AS "firstTransactionId", max(t.id) AS "lastTransactionId"
       FROM (${reachedFrom('a.id', 'n.day_start')}) t WHERE t.reached >= n.day_start AND t.reached < n.day_end) day
   WHERE a.id BETWEEN $2 AND $3`;

/** In the snapshot that was audited, at least an hour after the day: no transaction of the day can appear any more. */
export async function summariseDay(
  snapshot: Queryable,
  { from, to }: AccountGroup,
  day: string,
): Promise<readonly DayOfAccount[]> {
  await snapshot.$executeRawUnsafe('SET LOCAL enable_nestloop = on');
  const found = await snapshot.$queryRawUnsafe<DayOfAccount[]>(days, day, from, to);
  await snapshot.$executeRawUnsafe('SET LOCAL enable_nestloop = off');
  return found;
}

const insert = `
  INSERT INTO daily_reconciliations
         (account_id, day, audited_at, failed_checks, opening_balance, closing_balance, funded, withdrawn, bet_credits,
          bet_debits, transactions, first_transaction_id, last_transaction_id, open_exposure)
  SELECT n.account_id, $1::date, $2::timestamptz, n.failed, n.opening,
         n.opening + n.funded - n.withdrawn + n.credits - n.debits, n.funded, n.withdrawn, n.credits, n.debits,
         n.transactions, n.first_id, n.last_id, n.exposure
    FROM unnest($3::bigint[], $4::int[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[],
                $10::bigint[], $11::bigint[], $12::bigint[], $13::numeric[])
         AS n (account_id, failed, opening, funded, withdrawn, credits, debits, transactions, first_id, last_id, exposure)
      ON CONFLICT (account_id, day) DO UPDATE
     SET audited_at = excluded.audited_at, failed_checks = excluded.failed_checks,
         opening_balance = excluded.opening_balance, closing_balance = excluded.closing_balance, funded = excluded.funded,
         withdrawn = excluded.withdrawn, bet_credits = excluded.bet_credits, bet_debits = excluded.bet_debits,
         transactions = excluded.transactions, first_transaction_id = excluded.first_transaction_id,
         last_transaction_id = excluded.last_transaction_id, open_exposure = excluded.open_exposure`;

export interface AuditedDay {
  readonly day: string;
  readonly accounts: readonly DayOfAccount[];
  readonly findings: readonly Finding[];
  readonly auditedAt: Date;
}

/** Also for an account in which something differs. A later audit of the same night replaces what an earlier one wrote. */
export async function writeReconciliations(database: Database, audited: AuditedDay): Promise<void> {
  const { day, accounts, findings, auditedAt } = audited;
  if (accounts.length === 0) return;
  const column = (pick: (one: DayOfAccount) => bigint | number | string | null) =>
    `{${accounts.map((one) => pick(one) ?? 'NULL').join()}}`;
  await database.$executeRawUnsafe(
    insert,
    day,
    auditedAt,
    column(({ accountId }) => accountId),
    column(({ accountId }) => findings.filter(({ accountIds }) => accountIds.includes(accountId)).length),
    column(({ openingBalance }) => openingBalance),
    column(({ funded }) => funded),
    column(({ withdrawn }) => withdrawn),
    column(({ betCredits }) => betCredits),
    column(({ betDebits }) => betDebits),
    column(({ transactions }) => transactions),
    column(({ firstTransactionId }) => firstTransactionId),
    column(({ lastTransactionId }) => lastTransactionId),
    column(({ openExposure }) => openExposure),
  );
}
