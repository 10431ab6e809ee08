import { HOUR_MS } from '#platform/config/time-units.js';
import type { Database, Queryable } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';

/** A night and a half day: an audit that needs some tries is not late. */
export const LATE_AFTER_MS = 36 * HOUR_MS;

const CHECK_EVERY_MS = HOUR_MS;

export interface AuditLag {
  /** For how long the account that waits longest for an audit has waited, in seconds; 0 when none does. */
  readonly seconds: number;
  /** Accounts for which that is late. */
  readonly lateAccounts: number;
}

/** Accounts that no night has seen yet: the first one gives each a closing. In the order of ids, which only the key has. */
const newAccounts = (limit: number) => `
  (SELECT created_at FROM accounts WHERE id > coalesce((SELECT max(account_id) FROM account_closings), 0)
    ORDER BY id LIMIT ${limit})`;

/** Of new accounts. More of them make a figure larger that is too large already. */
const COUNTED = 1_000;

const isLate = (since: string) => `${since} < now() - ${LATE_AFTER_MS} * interval '1 millisecond'`;

/** By the index of those that wait, so accounts at rest cost nothing. `least` ignores nulls. */
export const auditLagQuery = `
  SELECT greatest(0, coalesce(extract(epoch FROM now() - least(
           (SELECT min(audit_due_since) FROM account_closings WHERE audit_due_since IS NOT NULL),
           ${newAccounts(1)})), 0))::float8 AS seconds,
         ((SELECT count(*) FROM account_closings WHERE ${isLate('audit_due_since')})
          + (SELECT count(*) FROM ${newAccounts(COUNTED)} AS new WHERE ${isLate('created_at')}))::int AS "lateAccounts"`;

export async function readAuditLag(database: Database): Promise<AuditLag> {
  const lags = await database.inAll(readLagOf);
  return {
    seconds: Math.max(...lags.map(({ seconds }) => seconds)),
    lateAccounts: lags.reduce((sum, { lateAccounts }) => sum + lateAccounts, 0),
  };
}

async function readLagOf(tables: Queryable): Promise<AuditLag> {
  const [lag] = await tables.run((prisma) => prisma.$queryRawUnsafe<[AuditLag]>(auditLagQuery));
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
