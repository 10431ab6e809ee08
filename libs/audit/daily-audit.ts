import type { Database, Queryable, Tables } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import type { AccountGroup } from './account-groups.js';
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
import {
  dayBefore,
  endOfClosableDay,
  type ProposedClosing,
  proposeClosings,
  type WrittenClosings,
  writeClosings,
} from './closings.js';
import { prepareFreshRows } from './fresh-rows.js';
import { areAllClosed, markDue, planNight } from './nightly-groups.js';
import { type DayOfAccount, readAuditedDays, writeReconciliations } from './reconciliations.js';
import { comparisonsIn, differencesIn, linesOfDifferences, reasonOf } from './report.js';
import { ALL_ACCOUNTS, freshScope, wholeScope } from './scope.js';

export interface AuditSummary {
  readonly checks: number;
  readonly compared: number;
  /** The accounts for which the audit wrote closings. */
  readonly closedAccounts: number;
  /** The accounts that the audit left out, because nothing had happened in their ledger. */
  readonly restingAccounts: number;
  readonly tookMs: number;
}

/** The audit ran, and something differs: another try would find the same. */
export class BooksDiffer extends Error {
  override readonly name = 'BooksDiffer';
}

/** In UTC. Most businesses are quiet then; for the others an audit costs little. */
const AUDIT_HOUR = 3;

/** An account whose closing changes during an audit is audited again, so often. */
const MOST_ROUNDS = 3;

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

/** This process names a day that PostgreSQL, by its clock, cannot close yet: another try comes later. */
class TooEarly extends Error {
  override readonly name = 'TooEarly';
}

/** PostgreSQL's clock, which dates the rows. */
async function databaseClock(tables: Queryable): Promise<Date> {
  const [{ now }] = await tables.$queryRaw<[{ now: Date }]>`SELECT now()`;
  return now;
}

export interface DailyAuditOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** The clock of this process, which began the job. */
  readonly now: () => Date;
  /** Decides which day is closed. Tests move it. */
  readonly clock?: (tables: Queryable) => Promise<Date>;
  readonly betsAtOnce?: number;
}

/**
 * Audits accounts from their last closing on, or from the first day when they have none, and closes the day that ended. An
 * account in which something differs is not closed. Each audited account gets the reconciliation of that day, with the
 * verdict. When anything differs the job fails, so that it stays among the failed
 * jobs with its reason. A run that was interrupted may run again, and two may overlap: what one closed the other does not.
 */
export function createDailyAudit(options: DailyAuditOptions) {
  return async (): Promise<AuditSummary> => {
    const startedAt = performance.now();
    const rounds = [await auditRound(options)];
    // A provider who deletes a closing, or an audit of an earlier day, may have come between.
    while (rounds.length < MOST_ROUNDS && rounds.at(-1)?.leftAccounts !== 0) rounds.push(await auditRound(options));
    const { findings, restingAccounts, leftAccounts } = rounds.at(-1) as AuditRound;
    if (leftAccounts > 0) throw new Error(`the closings of ${leftAccounts} accounts have changed meanwhile`);
    const closedAccounts = rounds.reduce((sum, round) => sum + round.closedAccounts, 0);
    const tookMs = Math.round(performance.now() - startedAt);
    return { checks: findings.length, compared: comparisonsIn(findings), closedAccounts, restingAccounts, tookMs };
  };
}

interface AuditRound {
  readonly findings: readonly Finding[];
  readonly closedAccounts: number;
  readonly leftAccounts: number;
  readonly restingAccounts: number;
}

/** Audits and closes what is due. Throws when something differs. */
async function auditRound(options: DailyAuditOptions): Promise<AuditRound> {
  const { database, logger, now, clock = databaseClock, betsAtOnce } = options;
  const places = auditedPlaces(database);
  const results: (readonly Finding[])[] = [];
  const counted = { closedAccounts: 0, leftAccounts: 0, restingAccounts: 0 };
  // The coordinator of a cluster first: an account whose access differs is not closed.
  const access = await auditAccess(places);
  results.push(access);
  for (const place of places.filter(({ hasLedger }) => hasLedger)) {
    if (differencesIn(access) > 0) await markDue(place.tables, [...accountsIn(access)]);
    const night = await clock(place.tables);
    const dayEnd = endOfClosableDay(night);
    if (dayEnd < endOfClosableDay(now())) throw new TooEarly(`by PostgreSQL's clock it is ${night.toISOString()}`);
    const plan = await planNight(place.tables, { now: night, ...(betsAtOnce !== undefined && { betsAtOnce }) });
    counted.restingAccounts += plan.restingAccounts;
    for (const group of plan.groups) {
      const audited = await auditGroup(place, group, dayEnd);
      results.push(audited.findings);
      const findings = [...access, ...audited.findings];
      const written = await writeGroup(place.tables, { ...audited, findings }, dayEnd);
      counted.closedAccounts += written.closedAccounts;
      counted.leftAccounts += written.leftAccounts + (audited.isOutdated ? 1 : 0);
    }
  }
  const findings = mergePlaces(results);
  if (differencesIn(findings) > 0) {
    logger.error({ differences: linesOfDifferences(findings) }, 'audit found differences');
    throw new BooksDiffer(reasonOf(findings));
  }
  return { findings, ...counted };
}

interface AuditedGroup {
  readonly findings: readonly Finding[];
  readonly closings: readonly ProposedClosing[];
  readonly accounts: readonly DayOfAccount[];
  /** The moment of the snapshot. */
  readonly closedAt: Date;
  /** Whether an account has lost its closing since the plan. */
  readonly isOutdated: boolean;
}

const accountsIn = (findings: readonly Finding[]): Set<bigint> =>
  new Set(findings.flatMap(({ accountIds }) => accountIds));

/** The coordinator's tables of all accounts. One PostgreSQL audits them with the ledgers. */
async function auditAccess(places: readonly AuditedPlace[]): Promise<Finding[]> {
  const place = places.find(({ hasLedger }) => !hasLedger);
  if (place === undefined) return [];
  return inAuditSnapshot(place.tables, (snapshot) => auditSnapshot(snapshot, ALL_ACCOUNTS, place.passes));
}

async function writeGroup(tables: Tables, group: AuditedGroup, dayEnd: Date): Promise<WrittenClosings> {
  const { findings, closings, accounts, closedAt } = group;
  await writeReconciliations(tables, { day: dayBefore(dayEnd), accounts, findings, auditedAt: closedAt });
  const differing = accountsIn(findings);
  if (differing.size > 0) await markDue(tables, [...differing]);
  const confirmed = closings.filter(({ accountId }) => !differing.has(accountId));
  return writeClosings(tables, { closings: confirmed, dayEnd, closedAt });
}

const auditGroup = ({ tables, passes }: AuditedPlace, group: AccountGroup, dayEnd: Date): Promise<AuditedGroup> =>
  inAuditSnapshot(tables, async (snapshot) => {
    await applyAuditSettings(snapshot);
    const isFresh = group.isFresh && (await areAllClosed(snapshot, group));
    if (isFresh) await prepareFreshRows(snapshot, group);
    const findings = await runPasses(snapshot, isFresh ? freshScope(group) : wholeScope(group), passes);
    const closings = await proposeClosings(snapshot, group, dayEnd);
    const accounts = await readAuditedDays(snapshot, dayBefore(dayEnd), group);
    const [{ closedAt }] = await snapshot.$queryRaw<[{ closedAt: Date }]>`SELECT now() AS "closedAt"`;
    return { findings, closings, accounts, closedAt, isOutdated: group.isFresh && !isFresh };
  });
