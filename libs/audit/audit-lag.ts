import type { Database, Queryable } from '#platform/database/database.js';
import { inAllPlacements } from '#platform/database/placement.js';
import type { Logger } from '#platform/logging/logger.js';

/** A night and a half day: an audit that needs some tries is not late. */
export const LATE_AFTER_MS = 36 * 3_600_000;

const CHECK_EVERY_MS = 3_600_000;

export interface AuditLag {
  /** How long no audit has confirmed the account that waits longest, in seconds; 0 without accounts. */
  readonly seconds: number;
  /** Accounts for which that is late. */
  readonly lateAccounts: number;
}

export async function readAuditLag(database: Database): Promise<AuditLag> {
  const lags = await inAllPlacements(database, readLagOf);
  return {
    seconds: Math.max(...lags.map(({ seconds }) => seconds)),
    lateAccounts: lags.reduce((sum, { lateAccounts }) => sum + lateAccounts, 0),
  };
}

async function readLagOf(database: Queryable): Promise<AuditLag> {
  const [lag] = await database.$queryRaw<[AuditLag]>`
    SELECT greatest(0, coalesce(extract(epoch FROM max(age)), 0))::float8 AS seconds,
           count(*) FILTER (WHERE age > ${LATE_AFTER_MS} * interval '1 millisecond')::int AS "lateAccounts"
      FROM (SELECT now() - coalesce(c.closed_at, a.created_at) AS age
              FROM accounts a LEFT JOIN account_closings c ON c.account_id = a.id) ages`;
  return lag;
}

export interface SkippedNights {
  /** The id of a job for an audit that is late; undefined when none is, or when this process has just looked. */
  jobOfLateAudit(): Promise<string | undefined>;
}

/** Notices accounts that no nightly audit confirmed for longer than a night, and reports them once an hour. */
export function createSkippedNights({
  database,
  logger,
  now,
}: {
  readonly database: Database;
  readonly logger: Logger;
  readonly now: () => Date;
}): SkippedNights {
  let nextCheckAt = 0;
  return {
    async jobOfLateAudit() {
      if (now().getTime() < nextCheckAt) return undefined;
      const { seconds, lateAccounts } = await readAuditLag(database);
      nextCheckAt = now().getTime() + CHECK_EVERY_MS;
      if (lateAccounts === 0) return undefined;
      logger.error(
        { accounts: lateAccounts, hours: Math.round(seconds / 3_600) },
        'no audit has confirmed these accounts',
      );
      return `audit-late-${now().toISOString().slice(0, 10)}`;
    },
  };
}
