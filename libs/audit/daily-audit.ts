import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { runAudit } from './audit.js';
import { comparisonsIn, differencesIn, linesOfDifferences, reasonOf } from './report.js';

export interface AuditSummary {
  readonly checks: number;
  readonly compared: number;
  readonly tookMs: number;
}

/** In UTC. Most businesses are quiet then; for the others an audit costs little. */
const AUDIT_HOUR = 3;

export interface DueAudit {
  readonly jobId: string;
  readonly delayMs: number;
}

/** The next audit. Its job id names its day, so that any number of workers adds one job. */
export function nextAudit(now: Date): DueAudit {
  const due = new Date(now);
  due.setUTCHours(AUDIT_HOUR, 0, 0, 0);
  if (due <= now) due.setUTCDate(due.getUTCDate() + 1);
  return { jobId: `audit-${due.toISOString().slice(0, 10)}`, delayMs: due.getTime() - now.getTime() };
}

/** The job fails when anything differs, so that it stays among the failed jobs with its reason. */
export function createDailyAudit({ database, logger }: { readonly database: Database; readonly logger: Logger }) {
  return async (): Promise<AuditSummary> => {
    const { findings, tookMs } = await runAudit(database);
    if (differencesIn(findings) > 0) {
      logger.error({ differences: linesOfDifferences(findings) }, 'audit found differences');
      throw new Error(reasonOf(findings));
    }
    return { checks: findings.length, compared: comparisonsIn(findings), tookMs };
  };
}
