import type { Tables } from '#platform/database/database.js';
import type { Finding } from './check.js';
import type { AccountRange } from './scope.js';

// What `npm run audit` has found, beside the verdicts of the nights. It says nothing about which accounts a night audits,
// and closes nothing: a night that finds it does all of its own work.

/** Accounts that were audited in one snapshot. */
export interface AuditedAccounts extends AccountRange {
  readonly tables: Tables;
  /** Just before the snapshot, by the primary's clock. */
  readonly auditedAt: Date;
  readonly findings: readonly Finding[];
}

/** Of all accounts that the snapshot may have seen. A run of a later moment has the last word, unless it lies in the future. */
const insert = `
  INSERT INTO command_audits AS stored (account_id, audited_at, failed_checks)
  SELECT a.id, $3::timestamptz, coalesce(n.failed, 0)
    FROM accounts a LEFT JOIN unnest($4::bigint[], $5::int[]) AS n (account_id, failed) ON n.account_id = a.id
   WHERE a.id BETWEEN $1 AND $2 AND a.created_at <= $3::timestamptz
   ORDER BY a.id
      ON CONFLICT (account_id) DO UPDATE SET audited_at = excluded.audited_at, failed_checks = excluded.failed_checks
   WHERE stored.audited_at <= excluded.audited_at OR stored.audited_at > now()`;

/** Only after a whole run: an audit that was cut off has found nothing out. */
export async function writeCommandAudits(audited: readonly AuditedAccounts[]): Promise<void> {
  for (const { tables, from, to, auditedAt, findings } of audited) {
    const failed = new Map<bigint, number>();
    for (const id of findings.flatMap(({ accountIds }) => accountIds)) failed.set(id, (failed.get(id) ?? 0) + 1);
    const ids = `{${[...failed.keys()].join()}}`;
    const failures = `{${[...failed.values()].join()}}`;
    await tables.run((prisma) => prisma.$executeRawUnsafe(insert, from, to, auditedAt, ids, failures));
  }
}
