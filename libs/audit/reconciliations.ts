import type { Tables, Tx } from '#platform/database/database.js';
import type { Finding } from './check.js';
import { receivedSql } from './facts.js';
import type { AccountRange } from './scope.js';

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
  /** As numeric text: sums may pass 64 bits. */
  readonly openingBalance: string;
  readonly closingBalance: string;
  readonly funded: string;
  readonly withdrawn: string;
  readonly betCredits: string;
  readonly betDebits: string;
  /** With its sign. */
  readonly corrected: string;
  readonly transactions: bigint;
  readonly firstTransactionId: bigint | null;
  readonly lastTransactionId: bigint | null;
  /** Now. */
  readonly openExposure: string;
  /** Whether the day has ended. */
  readonly isOver: boolean;
}

const sumOf = (condition: string): string =>
  `coalesce(sum(t.amount) FILTER (WHERE t.reached < n.day_end AND ${condition}), 0)::text`;

/** A day opens and closes with the present balances, less what came since. */
const days = `
  SELECT a.id AS "accountId", (held.balance - moved.since)::text AS "openingBalance",
         (held.balance - moved.later)::text AS "closingBalance", moved.funded, moved.withdrawn, moved."betCredits",
         moved."betDebits", moved.corrected, moved.transactions, moved."firstTransactionId", moved."lastTransactionId",
         held.exposure::text AS "openExposure", n.day_end <= now() AS "isOver"
    FROM (SELECT $1::date::timestamp AT TIME ZONE 'UTC' AS day_start,
                 ($1::date + 1)::timestamp AT TIME ZONE 'UTC' AS day_end) n
   CROSS JOIN accounts a
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(b.balance), 0) AS balance, coalesce(sum(b.exposure), 0) AS exposure
       FROM balances b WHERE b.account_id = a.id) held
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(${receivedSql}), 0) AS since,
            coalesce(sum(${receivedSql}) FILTER (WHERE t.reached >= n.day_end), 0) AS later,
            ${sumOf(`t.transaction_source = 'funding'`)} AS funded,
            ${sumOf(`t.transaction_source = 'withdrawal'`)} AS withdrawn,
            ${sumOf(`t.transaction_source = 'bet' AND t.transaction_type = 'credit'`)} AS "betCredits",
            ${sumOf(`t.transaction_source = 'bet' AND t.transaction_type = 'debit'`)} AS "betDebits",
            coalesce(sum(${receivedSql}) FILTER (WHERE t.reached < n.day_end AND t.transaction_source = 'correction'), 0)::text
              AS corrected,
            count(*) FILTER (WHERE t.reached < n.day_end) AS transactions,
            min(t.id) FILTER (WHERE t.reached < n.day_end) AS "firstTransactionId",
            max(t.id) FILTER (WHERE t.reached < n.day_end) AS "lastTransactionId"
       FROM (${reachedFrom('a.id', 'n.day_start')}) t WHERE t.reached >= n.day_start) moved
   WHERE a.id BETWEEN $2 AND $3`;

/** `day` as `2026-01-15`, in UTC. It reads the transactions since then. */
export const readDays = (
  snapshot: Tx,
  day: string,
  { from, to }: Pick<AccountRange, 'from' | 'to'>,
): Promise<DayOfAccount[]> => snapshot.prisma.$queryRawUnsafe<DayOfAccount[]>(days, day, from, to);

/** In the snapshot that was audited, at least an hour after the day: no transaction of the day can appear any more. */
export async function readAuditedDays(snapshot: Tx, day: string, range: AccountRange): Promise<DayOfAccount[]> {
  await snapshot.prisma.$executeRawUnsafe('SET LOCAL enable_nestloop = on');
  const found = await readDays(snapshot, day, range);
  await snapshot.prisma.$executeRawUnsafe('SET LOCAL enable_nestloop = off');
  return found;
}

const insert = `
  INSERT INTO daily_reconciliations AS stored
         (account_id, day, audited_at, failed_checks, opening_balance, closing_balance, funded, withdrawn, bet_credits,
          bet_debits, corrected, transactions, first_transaction_id, last_transaction_id, open_exposure)
  SELECT n.account_id, $1::date, $2::timestamptz, n.failed, n.opening,
         n.closing, n.funded, n.withdrawn, n.credits, n.debits, n.corrected, n.transactions, n.first_id, n.last_id, n.exposure
    FROM unnest($3::bigint[], $4::int[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[],
                $10::numeric[], $11::numeric[], $12::bigint[], $13::bigint[], $14::bigint[], $15::numeric[])
         AS n (account_id, failed, opening, closing, funded, withdrawn, credits, debits, corrected, transactions, first_id, last_id,
               exposure)
      ON CONFLICT (account_id, day) DO UPDATE
     SET audited_at = excluded.audited_at, failed_checks = excluded.failed_checks,
         opening_balance = excluded.opening_balance, closing_balance = excluded.closing_balance, funded = excluded.funded,
         withdrawn = excluded.withdrawn, bet_credits = excluded.bet_credits, bet_debits = excluded.bet_debits,
         corrected = excluded.corrected,
         transactions = excluded.transactions, first_transaction_id = excluded.first_transaction_id,
         last_transaction_id = excluded.last_transaction_id, open_exposure = excluded.open_exposure
   WHERE stored.audited_at <= excluded.audited_at`;

export interface AuditedDay {
  readonly day: string;
  readonly accounts: readonly DayOfAccount[];
  readonly findings: readonly Finding[];
  readonly auditedAt: Date;
}

/** Also for an account in which something differs. An audit of a later moment replaces what one of an earlier moment wrote. */
export async function writeReconciliations(tables: Tables, audited: AuditedDay): Promise<void> {
  const { day, accounts, findings, auditedAt } = audited;
  if (accounts.length === 0) return;
  const column = (pick: (one: DayOfAccount) => bigint | number | string | null) =>
    `{${accounts.map((one) => pick(one) ?? 'NULL').join()}}`;
  await tables.run((prisma) =>
    prisma.$executeRawUnsafe(
      insert,
      day,
      auditedAt,
      column(({ accountId }) => accountId),
      column(({ accountId }) => findings.filter(({ accountIds }) => accountIds.includes(accountId)).length),
      column(({ openingBalance }) => openingBalance),
      column(({ closingBalance }) => closingBalance),
      column(({ funded }) => funded),
      column(({ withdrawn }) => withdrawn),
      column(({ betCredits }) => betCredits),
      column(({ betDebits }) => betDebits),
      column(({ corrected }) => corrected),
      column(({ transactions }) => transactions),
      column(({ firstTransactionId }) => firstTransactionId),
      column(({ lastTransactionId }) => lastTransactionId),
      column(({ openExposure }) => openExposure),
    ),
  );
}
