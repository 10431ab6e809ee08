import type { ClockRun } from '#core/run-clock.js';
import { type AccountTables, type Database, Prisma, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { momentSql } from './pending-bets.js';
import { workerTask } from './task.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Offers that expire in one transaction. */
const CHUNK = 1_000;
/** So many wagers are on a page of a look. */
const WAGERS_OF_PAGE = 200;
/** So many of them are of one account, at most. */
export const SHARE_OF_PAGE = 100;

export interface DueWager {
  readonly accountId: bigint;
  readonly wagerId: bigint;
}

export interface PlacedWager extends DueWager {
  /** Since when it is due, in microseconds since 1970: its place among all that are. */
  readonly at: bigint;
}

const isWagerDue = (now: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`w.closes_at <= ${now} AND w.status <> 'closed' AND w.outcome = 'undecided'`;
const isOfferDue = (now: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`b.expires_at <= ${now} AND b.offer_status = 'requesting' AND b.is_active`;
const NOW = Prisma.sql`statement_timestamp()`;

const isBehind = (after: PlacedWager | undefined): Prisma.Sql =>
  after === undefined
    ? Prisma.sql`true`
    : Prisma.sql`(due.at, due.account_id, due.wager_id) > (${after.at}::bigint, ${after.accountId}::bigint, ${after.wagerId}::bigint)`;

/** From indexes alone: no statistics can make it read a table. */
const dueWagers = Prisma.sql`
  (SELECT (extract(epoch FROM min(at)) * 1000000)::bigint AS at, account_id, wager_id
     FROM (SELECT w.closes_at AS at, w.account_id, w.id AS wager_id FROM wagers w WHERE ${isWagerDue(NOW)}
           UNION ALL
           SELECT b.expires_at, b.account_id, b.wager_id FROM bets b WHERE ${isOfferDue(NOW)}) ended
    GROUP BY account_id, wager_id)`;

/** Each wager by its key. The offers of a decided one expire by its decision, and a sandbox that is being deleted has no clock. */
const isStillDue = Prisma.sql`
  EXISTS (SELECT FROM wagers w WHERE w.account_id = due.account_id AND w.id = due.wager_id AND w.outcome = 'undecided' OFFSET 0)
  AND EXISTS (SELECT FROM accounts a WHERE a.id = due.account_id AND a.removed_since IS NULL OFFSET 0)`;

/**
 * A page begins behind wagers of the one before: what cannot end now, as an offer that a cancel is to reach, holds up no other.
 * Of each account it has the first ones only, so an account with many holds up no other either.
 */
export const dueQuery = (after?: PlacedWager): Prisma.Sql => Prisma.sql`
  SELECT due.account_id AS "accountId", due.wager_id AS "wagerId", due.at, ${isStillDue} AS "isStillDue",
         due.turn = ${SHARE_OF_PAGE} AS "endsShare"
    FROM (SELECT due.*, row_number() OVER (PARTITION BY due.account_id ORDER BY due.at, due.wager_id) AS turn
            FROM ${dueWagers} due WHERE ${isBehind(after)}) due
   WHERE due.turn <= ${SHARE_OF_PAGE}
   ORDER BY due.at, due.account_id, due.wager_id LIMIT ${WAGERS_OF_PAGE}`;

const inOrder = (one: PlacedWager, other: PlacedWager): number => {
  const difference = one.at - other.at || one.accountId - other.accountId || one.wagerId - other.wagerId;
  return difference < 0n ? -1 : 1;
};

/** How far the clock of the account is ahead: only that of a sandbox is. */
export const clockAheadOf = (accountId: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (SELECT of_clock.clock_ahead FROM accounts of_clock WHERE of_clock.id = ${accountId}) * interval '1 microsecond'`;

/** The time of the statement, by the clock of the account. */
export const timeOfAccount = (accountId: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(statement_timestamp() + ${clockAheadOf(accountId)})`;

export interface DuePage {
  readonly wagers: readonly PlacedWager[];
  /** Behind it the next page begins, which may have some of these again; undefined: there is none. */
  readonly last: PlacedWager | undefined;
}

interface DueRow extends PlacedWager {
  readonly isStillDue: boolean;
  /** The account may have more. */
  readonly endsShare: boolean;
}

/** Wagers whose time has come, or an offer of which. By PostgreSQL's clock. */
export async function findDueWagers(database: Database, after?: PlacedWager): Promise<DuePage> {
  const found = await database.inAll((tables) => queryRows<DueRow>(tables, dueQuery(after)));
  const page = found.flat().sort(inOrder).slice(0, WAGERS_OF_PAGE);
  return {
    wagers: page.filter(({ isStillDue }) => isStillDue),
    // A shorter page has left nothing out. What lies behind the share of an account must not be passed.
    last: page.length < SHARE_OF_PAGE ? undefined : (page.find(({ endsShare }) => endsShare) ?? page.at(-1)),
  };
}

/** For how many seconds the first due wager, timer or change request has been due, by PostgreSQL's clock; 0 when none is. */
export async function readClockLag(database: Database): Promise<number> {
  const found = await database.inAll((tables) =>
    queryRows<{ seconds: number }>(
      tables,
      Prisma.sql`
      SELECT coalesce(extract(epoch FROM statement_timestamp() - least(
               (SELECT to_timestamp(due.at / 1e6) FROM ${dueWagers} due WHERE ${isStillDue} ORDER BY due.at LIMIT 1),
               (SELECT min(fires_at) FROM cancel_timers WHERE fires_at <= ${NOW}),
               (SELECT min(expires_at) FROM change_requests WHERE state = 'pending' AND expires_at <= ${NOW}))), 0)::float8 AS seconds`,
    ),
  );
  return Math.max(...found.flat().map(({ seconds }) => seconds));
}

/**
 * What `findDueWagers` finds, for sandboxes whose clocks are ahead. Another statement, by indexes that begin with the account: that of all others
 * stays as it is, and what is due years ahead in other accounts is not passed.
 */
export async function findDueOfSandboxes(database: Database): Promise<DueWager[]> {
  const found = await database.inAll((tables) =>
    queryRows<DueWager>(
      tables,
      Prisma.sql`
      SELECT a.id AS "accountId", due.wager_id AS "wagerId"
        FROM accounts a CROSS JOIN LATERAL (
             SELECT statement_timestamp() + a.clock_ahead * interval '1 microsecond' AS now OFFSET 0) AS clock
       CROSS JOIN LATERAL (
             SELECT min(ended.at) AS at, ended.wager_id FROM (
               SELECT w.closes_at AS at, w.id AS wager_id FROM wagers w
                WHERE w.account_id = a.id AND ${isWagerDue(Prisma.sql`clock.now`)}
               UNION ALL
               SELECT b.expires_at, b.wager_id
                 FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id AND w.outcome = 'undecided'
                WHERE b.account_id = a.id AND ${isOfferDue(Prisma.sql`clock.now`)}) ended
              GROUP BY ended.wager_id ORDER BY 1 LIMIT ${SHARE_OF_PAGE}) AS due
       WHERE a.clock_ahead > 0 AND a.removed_since IS NULL
       ORDER BY due.at LIMIT ${WAGERS_OF_PAGE}`,
    ),
  );
  return found.flat();
}

/** Conditions of the account's work that the worker has not done by that time. Each kind of its work has one here. */
const leftToDo = (accountId: bigint, now: Prisma.Sql): readonly Prisma.Sql[] => [
  Prisma.sql`SELECT FROM wagers w WHERE w.account_id = ${accountId} AND ${isWagerDue(now)}`,
  Prisma.sql`SELECT FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id AND w.outcome = 'undecided'
    WHERE b.account_id = ${accountId} AND ${isOfferDue(now)}`,
  Prisma.sql`SELECT FROM wagers WHERE account_id = ${accountId} AND settling_since IS NOT NULL`,
  Prisma.sql`SELECT FROM wagers WHERE account_id = ${accountId} AND pending_cancels IS NOT NULL`,
  Prisma.sql`SELECT FROM cancel_timers
    WHERE account_id = ${accountId} AND (fires_at <= ${now} OR canceling_after IS NOT NULL)`,
];

/** Whether everything that is due in the account at the time, in microseconds since 1970, is done. */
export async function isCaughtUp(tables: AccountTables | Tx, accountId: bigint, now: bigint): Promise<boolean> {
  const conditions = leftToDo(accountId, momentSql(now)).map((left) => Prisma.sql`NOT EXISTS (${left})`);
  const [row] = await queryRows<{ isDone: boolean }>(
    tables,
    Prisma.sql`SELECT ${Prisma.join(conditions, ' AND ')} AS "isDone"`,
  );
  return row?.isDone === true;
}

/**
 * Ends the next chunk of what is due of the wager, and returns whether that was all. The rows say what it is, so several workers
 * may do it at once.
 */
export async function endDue(work: UnitOfWork, { accountId, wagerId }: DueWager): Promise<boolean> {
  const [result] = await work.runWaiting([workerTask(accountId, { type: 'run_clock', wagerId, bound: CHUNK })]);
  if (result?.kind !== 'done') throw new Error(`the clock of wager ${wagerId} was ${result?.kind}`);
  return (result.answer as ClockRun).isComplete;
}
