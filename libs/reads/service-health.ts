import { auditLagQuery, LATE_AFTER_MS } from '#audit/audit-lag.js';
import type { Micros } from '#core/money.js';
import type { Outcome } from '#core/records.js';
import { countWorkers, type WorkerCounts } from '#jobs/heartbeats.js';
import { HOUR_MS, MINUTE_MS } from '#platform/config/time-units.js';
import { type AccountTables, type Database, Prisma, type Tx } from '#platform/database/database.js';
import { type AuditVerdict, lastAuditOf } from './last-audit.js';

// Whether what runs behind the requests moves on. Each statement reads only what is undone, so it costs little while all is
// well. A node that is away makes the figures unknown: it may hold what is stuck.

/**
 * A settlement whose bets wait is stuck when no chunk has moved bets for so long, and its work fails or no settlement of its
 * account moves either. A chunk takes less than a second, and another worker takes over the job of a killed one within eight.
 */
const STUCK_AFTER_MS = MINUTE_MS;
/** The settlements of an account take turns: one that waits for another is stuck only after so long. */
const TURN_AFTER_MS = 15 * MINUTE_MS;

/** What waits in the outbox is overdue after so long: it usually waits for seconds. Exports take turns. */
const OVERDUE_AFTER_MS = 5 * MINUTE_MS;
const EXPORT_OVERDUE_AFTER_MS = HOUR_MS;

/** Nobody needs a larger figure. */
const MOST_COUNTED = 1_000;

const before = (ms: number): Prisma.Sql => Prisma.sql`now() - ${ms} * interval '1 ms'`;

/** Undefined: of all accounts. */
type Whose = bigint | undefined;

const of = (whose: Whose, table: string): Prisma.Sql =>
  whose === undefined ? Prisma.sql`TRUE` : Prisma.sql`${Prisma.raw(table)}.account_id = ${whose}`;

/** In the partial index of what the sweep looks for. */
const isUndone = Prisma.sql`o.done_at IS NULL AND (o.failed_at IS NULL OR o.topic NOT LIKE '%-mail')`;

/** The undone work is read once, and joined by hash: many settlements wait at once. Done work shows that an account moves. */
const stuckSettlements = (whose: Whose): Prisma.Sql => Prisma.sql`
  WITH undone AS MATERIALIZED (
    SELECT o.account_id, o.payload ->> 'wagerId' AS wager_id, max(o.moved_at) AS moved_at, max(o.failed_at) AS failed_at
      FROM outbox o WHERE ${of(whose, 'o')} AND o.topic = 'settle-wager' AND ${isUndone} GROUP BY 1, 2),
  moving AS MATERIALIZED (
    SELECT u.account_id FROM undone u WHERE u.moved_at >= ${before(STUCK_AFTER_MS)}
    UNION
    SELECT o.account_id FROM outbox o
     WHERE ${of(whose, 'o')} AND o.topic = 'settle-wager' AND o.done_at >= ${before(STUCK_AFTER_MS)})
  SELECT w.account_id AS "accountId", w.id, w.reference, w.outcome, w.settling_since AS "settlingSince", u.moved_at AS "movedAt"
    FROM wagers w LEFT JOIN undone u ON u.account_id = w.account_id AND u.wager_id = w.id::text
   WHERE ${of(whose, 'w')} AND w.settling_since < ${before(STUCK_AFTER_MS)}
     AND (u.moved_at IS NULL OR u.moved_at < ${before(STUCK_AFTER_MS)})
     AND (u.failed_at IS NOT NULL OR greatest(w.settling_since, u.moved_at) < ${before(TURN_AFTER_MS)}
          OR w.account_id NOT IN (SELECT account_id FROM moving))
   ORDER BY w.settling_since, w.id`;

const overdueWork = (whose: Whose): Prisma.Sql => Prisma.sql`
  SELECT FROM outbox o
   WHERE ${of(whose, 'o')} AND ${isUndone} AND o.created_at < ${before(OVERDUE_AFTER_MS)}
     AND coalesce(o.moved_at, o.created_at) <
         CASE WHEN o.topic IN ('make-export', 'make-preview') THEN ${before(EXPORT_OVERDUE_AFTER_MS)} ELSE ${before(OVERDUE_AFTER_MS)} END`;

/** What its owner has disabled does not fail. */
const failingWebhooks = (whose: Whose): Prisma.Sql => Prisma.sql`
  SELECT e.id, e.url, e.state, e.failing_since AS "failingSince" FROM webhook_endpoints e
   WHERE ${of(whose, 'e')} AND (e.state = 'failing' OR e.state = 'disabled' AND e.disabled_reason IN ('gone', 'failing'))
   ORDER BY e.id`;

const lateAudits = (whose: Whose): Prisma.Sql =>
  whose === undefined
    ? Prisma.sql`SELECT least("lateAccounts", ${MOST_COUNTED}) FROM (${Prisma.raw(auditLagQuery)}) lag`
    : Prisma.sql`
      SELECT count(*)::int FROM accounts a LEFT JOIN account_closings c ON c.account_id = a.id
       WHERE a.id = ${whose}
         AND CASE WHEN c.account_id IS NULL THEN a.created_at ELSE c.audit_due_since END < ${before(LATE_AFTER_MS)}`;

/** In the index of pending requests. */
const pendingApprovals = (accountId: bigint): Prisma.Sql => Prisma.sql`
  SELECT FROM change_requests r WHERE r.account_id = ${accountId} AND r.state = 'pending' AND r.expires_at > now()`;

const counted = (rows: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(SELECT count(*)::int FROM (SELECT FROM (${rows}) found LIMIT ${MOST_COUNTED}) counted)`;

/** How much of each kind there is, up to `MOST_COUNTED`. */
interface LedgerHealth {
  readonly stuckSettlements: number;
  readonly failingWebhooks: number;
  /** Accounts that no night has confirmed for a day and a half. */
  readonly lateAudits: number;
  readonly overdueWork: number;
}

async function countLedger(tables: AccountTables | Tx): Promise<LedgerHealth> {
  const [counts] = await tables.$queryRaw<[LedgerHealth]>`
    SELECT ${counted(stuckSettlements(undefined))} AS "stuckSettlements",
           ${counted(failingWebhooks(undefined))} AS "failingWebhooks",
           ${counted(overdueWork(undefined))} AS "overdueWork", (${lateAudits(undefined)}) AS "lateAudits"`;
  return counts;
}

const sumOf = (parts: readonly LedgerHealth[], kind: keyof LedgerHealth): number =>
  Math.min(
    MOST_COUNTED,
    parts.reduce((sum, part) => sum + part[kind], 0),
  );

/** Of the whole service: counts alone, nothing of an account. */
export interface ServiceHealth extends LedgerHealth {
  readonly workers: WorkerCounts;
}

export async function readServiceHealth(database: Database): Promise<ServiceHealth> {
  const [workers, ...parts] = await Promise.all([countWorkers(database), ...database.all().map(countLedger)]);
  return {
    workers,
    stuckSettlements: sumOf(parts, 'stuckSettlements'),
    failingWebhooks: sumOf(parts, 'failingWebhooks'),
    lateAudits: sumOf(parts, 'lateAudits'),
    overdueWork: sumOf(parts, 'overdueWork'),
  };
}

export interface StuckSettlement {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly reference: string;
  readonly outcome: Outcome;
  readonly settlingSince: Date;
  /** When bets moved last, up to ten seconds behind; null: none has moved since the decision. */
  readonly movedAt: Date | null;
}

export interface FailingWebhook {
  readonly id: bigint;
  readonly url: string;
  readonly state: 'failing' | 'disabled';
  readonly failingSince: Date | null;
}

/** Enough to see what is wrong. */
export const MOST_STUCK = 20;

/** Of the given tables; the longest waiting ones first. */
const listStuckSettlements = (tables: AccountTables | Tx, whose: Whose): Promise<StuckSettlement[]> =>
  tables.$queryRaw<StuckSettlement[]>`${stuckSettlements(whose)} LIMIT ${MOST_STUCK}`;

export async function listAllStuckSettlements(database: Database): Promise<StuckSettlement[]> {
  const parts = await Promise.all(database.all().map((tables) => listStuckSettlements(tables, undefined)));
  return parts
    .flat()
    .sort((one, other) => one.settlingSince.getTime() - other.settlingSince.getTime())
    .slice(0, MOST_STUCK);
}

/** Enough to see who they are. */
export const MOST_USERS = 20;

export interface DisputedUser {
  readonly id: bigint;
  readonly reference: string;
}

export interface UserBelowZero extends DisputedUser {
  /** Balance minus exposure. */
  readonly available: Micros;
}

const disputedUsersOf = (tables: AccountTables | Tx, accountId: bigint): Promise<DisputedUser[]> =>
  tables.$queryRaw<DisputedUser[]>`
    SELECT u.id, u.reference FROM disputes d JOIN users u ON u.account_id = d.account_id AND u.id = d.user_id
     WHERE d.account_id = ${accountId} ORDER BY d.opened_at, u.id LIMIT ${MOST_USERS}`;

/**
 * Those who may not go below zero, and can: a correction or a new preference has brought them there. It reads every balance of
 * the account, for an index on balances would cost each bet more.
 */
export const listUsersBelowZero = (tables: AccountTables | Tx, accountId: bigint): Promise<UserBelowZero[]> =>
  tables.$queryRaw<UserBelowZero[]>`
    SELECT u.id, u.reference, b.balance - b.exposure AS available
      FROM balances b JOIN users u ON u.account_id = b.account_id AND u.id = b.user_id JOIN accounts a ON a.id = b.account_id
     WHERE b.account_id = ${accountId} AND b.balance < b.exposure
       AND coalesce(u.preferences -> 'allow_negative_balance', a.preferences -> 'allow_negative_balance', 'false') <> 'true'
     ORDER BY 3, u.id LIMIT ${MOST_USERS}`;

export interface AccountHealth {
  readonly disputedBalances: readonly DisputedUser[];
  /** Change requests that wait, up to `MOST_COUNTED`. */
  readonly pendingApprovals: number;
  readonly stuckSettlements: readonly StuckSettlement[];
  readonly failingWebhooks: readonly FailingWebhook[];
  readonly lateAudits: number;
  readonly overdueWork: number;
  readonly lastAudit: AuditVerdict | undefined;
}

/** Of one account. */
export async function readAccountHealth(tables: AccountTables | Tx, accountId: bigint): Promise<AccountHealth> {
  const [figures] = await tables.$queryRaw<[Pick<AccountHealth, 'lateAudits' | 'overdueWork' | 'pendingApprovals'>]>`
    SELECT ${counted(overdueWork(accountId))} AS "overdueWork", (${lateAudits(accountId)}) AS "lateAudits",
           ${counted(pendingApprovals(accountId))} AS "pendingApprovals"`;
  const webhooks = await tables.$queryRaw<FailingWebhook[]>`${failingWebhooks(accountId)} LIMIT ${MOST_COUNTED}`;
  const [lastAudit] = await tables.$queryRaw<AuditVerdict[]>`${lastAuditOf(accountId)}`;
  const stuck = await listStuckSettlements(tables, accountId);
  const disputedBalances = await disputedUsersOf(tables, accountId);
  return { ...figures, stuckSettlements: stuck, failingWebhooks: webhooks, lastAudit, disputedBalances };
}
