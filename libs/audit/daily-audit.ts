import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { type AccountGroup, planGroups } from './account-groups.js';
import {
  type AuditedPlace,
  applyAuditSettings,
  auditedPlaces,
  auditSnapshot,
  inAuditSnapshot,
  mergePlaces,
  runPasses,
} from './audit.js';
import type { Finding } from './check.js';
import { endOfClosableDay, type ProposedClosing, proposeClosings, writeClosings } from './closings.js';
import { prepareFreshRows } from './fresh-rows.js';
import { comparisonsIn, differencesIn, linesOfDifferences, reasonOf } from './report.js';
import { ALL_ACCOUNTS, freshScope, wholeScope } from './scope.js';

export interface AuditSummary {
  readonly checks: number;
  readonly compared: number;
  /** The accounts for which the audit wrote closings. */
  readonly closedAccounts: number;
  readonly tookMs: number;
}

/** The audit ran, and something differs: another try would find the same. */
export class BooksDiffer extends Error {
  override readonly name = 'BooksDiffer';
}

/** In UTC. Most businesses are quiet then; for the others an audit costs little. */
const AUDIT_HOUR = 3;

/** For an audit that could not run: until shortly before the next night. */
export const auditTries = { attempts: 200, backoff: { type: 'fixed', delay: 5 * 60_000 } } as const;

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

export interface DailyAuditOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly betsAtOnce?: number;
}

/**
 * Audits each account from its last closing on, or from the first day when it has none, and closes the day that ended. An
 * account in which something differs is not closed. When anything differs the job fails, so that it stays among the failed
 * jobs with its reason. A run that was interrupted may run again: what it closed is not audited twice.
 */
export function createDailyAudit({ database, logger, now, betsAtOnce }: DailyAuditOptions) {
  return async (): Promise<AuditSummary> => {
    const startedAt = performance.now();
    const dayEnd = endOfClosableDay(now());
    const places = auditedPlaces(database);
    const accessDiffers = new Set<bigint>();
    const results: Finding[][] = [];
    let closedAccounts = 0;
    // The coordinator first: an account whose access differs is not closed.
    for (const place of places.filter(({ hasLedger }) => !hasLedger)) {
      const findings = await inAuditSnapshot(place.database, (snapshot) =>
        auditSnapshot(snapshot, ALL_ACCOUNTS, place.passes),
      );
      results.push(findings);
      for (const id of findings.flatMap(({ accountIds }) => accountIds)) accessDiffers.add(id);
    }
    for (const place of places.filter(({ hasLedger }) => hasLedger)) {
      const groups = await planGroups(place.database, { sinceClosings: true, ...(betsAtOnce && { betsAtOnce }) });
      for (const group of groups) {
        const { findings, closings, closedAt } = await auditGroup(place, group, dayEnd);
        results.push(findings);
        const differing = new Set([...accessDiffers, ...findings.flatMap(({ accountIds }) => accountIds)]);
        const confirmed = closings.filter(({ accountId }) => !differing.has(accountId));
        closedAccounts += await writeClosings(place.database, { closings: confirmed, dayEnd, closedAt });
      }
    }
    const findings = mergePlaces(results);
    if (differencesIn(findings) > 0) {
      logger.error({ differences: linesOfDifferences(findings) }, 'audit found differences');
      throw new BooksDiffer(reasonOf(findings));
    }
    const tookMs = Math.round(performance.now() - startedAt);
    return { checks: findings.length, compared: comparisonsIn(findings), closedAccounts, tookMs };
  };
}

interface AuditedGroup {
  readonly findings: Finding[];
  readonly closings: readonly ProposedClosing[];
  /** The moment of the snapshot. */
  readonly closedAt: Date;
}

const auditGroup = ({ database, passes }: AuditedPlace, group: AccountGroup, dayEnd: Date): Promise<AuditedGroup> =>
  inAuditSnapshot(database, async (snapshot) => {
    await applyAuditSettings(snapshot);
    if (group.isFresh) await prepareFreshRows(snapshot, group);
    const findings = await runPasses(snapshot, group.isFresh ? freshScope(group) : wholeScope(group), passes);
    const closings = await proposeClosings(snapshot, group, dayEnd);
    const [{ closedAt }] = await snapshot.$queryRaw<[{ closedAt: Date }]>`SELECT now() AS "closedAt"`;
    return { findings, closings, closedAt };
  });
