import { type AuditSummary, createDailyAudit } from '#audit/daily-audit.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';

/** The nightly audit as it is at a moment, by every clock. */
export const auditAt = (
  { database, logger }: { readonly database: Database; readonly logger: Logger },
  moment: Date,
): Promise<AuditSummary> =>
  createDailyAudit({ database, logger, now: () => moment, clock: () => Promise.resolve(moment) })();
