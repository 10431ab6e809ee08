import { Prisma } from '#platform/database/database.js';

/** The audit of the night, which closes days, or a whole run of `npm run audit`. */
export const auditedBy = ['night', 'command'] as const;
export type AuditedBy = (typeof auditedBy)[number];

export interface AuditVerdict {
  readonly auditedAt: Date;
  readonly failedChecks: number;
  readonly auditedBy: AuditedBy;
}

/**
 * The newest verdict on an account; no row: no audit has looked at it. A command's verdict of the future comes last: a clock
 * was wrong.
 */
export const lastAuditOf = (accountId: bigint): Prisma.Sql => Prisma.sql`
  SELECT * FROM (
    (SELECT audited_at AS "auditedAt", failed_checks AS "failedChecks", 'night' AS "auditedBy" FROM daily_reconciliations
      WHERE account_id = ${accountId} ORDER BY day DESC LIMIT 1)
    UNION ALL
    SELECT audited_at, failed_checks, 'command' FROM command_audits WHERE account_id = ${accountId}) verdicts
   ORDER BY "auditedBy" = 'command' AND "auditedAt" > now() + interval '1 minute', "auditedAt" DESC LIMIT 1`;
