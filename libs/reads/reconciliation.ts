import { type DayOfAccount, readDays } from '#audit/reconciliations.js';
import { logHeadOf, noteAsOf } from '#events/event-position.js';
import { DAY_MS } from '#platform/config/time-units.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import { type AuditedBy, type AuditVerdict, lastAuditOf } from './last-audit.js';
import { type UserPeriodRow, userPeriods } from './user-periods.js';

/** What all transactions of an account, or of one user, come to on a day. In micro-units. */
export interface DayFigures {
  readonly openingBalance: bigint;
  readonly closingBalance: bigint;
  readonly funded: bigint;
  readonly withdrawn: bigint;
  readonly betCredits: bigint;
  readonly betDebits: bigint;
  /** By providers, with its sign. */
  readonly corrected: bigint;
  readonly transactions: bigint;
}

export interface Reconciliation extends DayFigures {
  readonly firstTransactionId: bigint | null;
  readonly lastTransactionId: bigint | null;
  /** When the audit looked, or now; null: of a past day that no audit closed. */
  readonly openExposure: bigint | null;
  /** Null: no audit has closed the day yet. */
  readonly audit: AuditVerdict | null;
  /** The newest verdict of all: of a night, or of `npm run audit`. */
  readonly lastAudit: AuditVerdict | null;
}

export interface DayOfUser extends DayFigures {
  readonly userId: bigint;
  readonly userReference: string;
}

interface StoredRow extends Omit<DayOfAccount, 'accountId' | 'isOver'> {
  readonly auditedAt: Date;
  readonly failedChecks: number;
}

const readStored = (snapshot: Tx, accountId: bigint, day: string): Promise<StoredRow[]> =>
  queryRows<StoredRow>(
    snapshot,
    Prisma.sql`
    SELECT opening_balance::text AS "openingBalance", closing_balance::text AS "closingBalance", funded::text AS funded,
           withdrawn::text AS withdrawn, bet_credits::text AS "betCredits", bet_debits::text AS "betDebits", corrected::text AS corrected, transactions,
           first_transaction_id AS "firstTransactionId", last_transaction_id AS "lastTransactionId",
           open_exposure::text AS "openExposure", audited_at AS "auditedAt", failed_checks AS "failedChecks"
      FROM daily_reconciliations WHERE account_id = ${accountId} AND day = ${day}::date`,
  );

type RestingRow = Pick<StoredRow, 'openExposure' | 'auditedAt' | 'failedChecks'>;

/** What the last audit found, if the account has been at rest since the day that it closed: the nights leave it out. */
const readAtRest = (snapshot: Tx, accountId: bigint, day: string): Promise<RestingRow[]> =>
  queryRows<RestingRow>(
    snapshot,
    Prisma.sql`
    SELECT r.open_exposure::text AS "openExposure", r.audited_at AS "auditedAt", r.failed_checks AS "failedChecks"
      FROM account_closings c JOIN daily_reconciliations r ON r.account_id = c.account_id AND r.day = c.day
     WHERE c.account_id = ${accountId} AND c.day < ${day}::date
       AND NOT EXISTS (SELECT FROM bet_trails t WHERE t.account_id = c.account_id AND t.id > c.last_trail_id)
       AND NOT EXISTS (SELECT FROM transactions t WHERE t.account_id = c.account_id AND t.id > c.last_transaction_id)`,
  );

interface AccountRow {
  readonly logHead: string | null;
  readonly auditedAt: Date | null;
  readonly failedChecks: number | null;
  readonly auditedBy: AuditedBy | null;
}

/** The newest verdict of the account, and where its event log ends. */
async function readAccount(snapshot: Tx, accountId: bigint): Promise<AccountRow> {
  const [row] = await queryRows<AccountRow>(
    snapshot,
    Prisma.sql`
    SELECT ${logHeadOf(accountId)} AS "logHead", last.* FROM (SELECT) one
      LEFT JOIN (${lastAuditOf(accountId)}) last ON TRUE`,
  );
  return row as AccountRow;
}

type Day = Omit<Reconciliation, 'lastAudit'>;
type Figures = Omit<Day, 'openExposure' | 'audit'>;

const figuresOf = (row: Omit<StoredRow, 'auditedAt' | 'failedChecks'>): Figures => ({
  openingBalance: BigInt(row.openingBalance),
  closingBalance: BigInt(row.closingBalance),
  funded: BigInt(row.funded),
  withdrawn: BigInt(row.withdrawn),
  betCredits: BigInt(row.betCredits),
  betDebits: BigInt(row.betDebits),
  corrected: BigInt(row.corrected),
  transactions: row.transactions,
  firstTransactionId: row.firstTransactionId,
  lastTransactionId: row.lastTransactionId,
});

interface PastDay {
  readonly day: string;
  readonly figures: Figures;
}

async function readPastDay(snapshot: Tx, accountId: bigint, { day, figures }: PastDay): Promise<Day> {
  const [resting] = await readAtRest(snapshot, accountId, day);
  if (resting !== undefined) {
    const { auditedAt, failedChecks, openExposure } = resting;
    return { ...figures, openExposure: BigInt(openExposure), audit: { auditedAt, failedChecks, auditedBy: 'night' } };
  }
  // The exposures of a past day are not known, but there were none before the first movement.
  const openExposure = figures.transactions === 0n && figures.closingBalance === 0n ? 0n : null;
  return { ...figures, openExposure, audit: null };
}

/** `day` as `2026-01-15`, in UTC: as the audit of its night has stored it, or else from the transactions since then. */
export async function readReconciliation(snapshot: Tx, accountId: bigint, day: string): Promise<Reconciliation> {
  const { logHead: head, ...last } = await readAccount(snapshot, accountId);
  const lastAudit = last.auditedAt === null ? null : (last as AuditVerdict);
  const [stored] = await readStored(snapshot, accountId, day);
  if (stored !== undefined) {
    const { auditedAt, failedChecks, openExposure } = stored;
    const audit = { auditedAt, failedChecks, auditedBy: 'night' } as const;
    return { ...figuresOf(stored), openExposure: BigInt(openExposure), audit, lastAudit };
  }
  const [computed] = await readDays(snapshot, day, { from: accountId, to: accountId });
  if (computed === undefined) throw new Refusal('account-not-found');
  const figures = figuresOf(computed);
  if (computed.isOver) return { ...(await readPastDay(snapshot, accountId, { day, figures })), lastAudit };
  // Of a past day the audit's figures come without an event.
  noteAsOf(snapshot, { accountId, head });
  return { ...figures, openExposure: BigInt(computed.openExposure), audit: null, lastAudit };
}

export interface DayOfUsersRequest {
  readonly accountId: bigint;
  readonly day: string;
  readonly afterUserId: bigint;
  readonly limit: number;
}

/** The next users by id, with what their statements of the day come to. */
export async function readDayOfUsers(snapshot: Tx, request: DayOfUsersRequest): Promise<DayOfUser[]> {
  const { accountId, day, afterUserId, limit } = request;
  const from = new Date(`${day}T00:00:00Z`);
  const users = Prisma.sql`SELECT u.id, u.reference FROM users u
    WHERE u.account_id = ${accountId} AND u.id > ${afterUserId} ORDER BY u.id LIMIT ${limit}`;
  const to = new Date(from.getTime() + DAY_MS);
  const rows = await queryRows<UserPeriodRow>(snapshot, userPeriods({ accountId, users, from, to }));
  return rows.map(({ funded, withdrawn, betCredits, betDebits, corrected, ...row }) => ({
    ...row,
    funded: BigInt(funded),
    withdrawn: BigInt(withdrawn),
    betCredits: BigInt(betCredits),
    betDebits: BigInt(betDebits),
    corrected: BigInt(corrected),
  }));
}
