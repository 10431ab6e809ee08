import { type Database, Prisma } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import { clockAheadOf } from './clock.js';
import { workerTask } from './task.js';
import type { UnitOfWork } from './unit-of-work.js';

/** In the rows, of which a user's id is never 0. */
const WHOLE_ACCOUNT = 0n;
/** Wagers of one transaction, and the offers that it cancels of each: of a wager with more the worker cancels them in chunks. */
const WAGERS_AT_ONCE = 50;
const OFFERS_OF_WAGER = 50;
/** Timers of one look: the next look finds the others. */
const TIMERS_AT_ONCE = 200;

export interface TimerScope {
  readonly accountId: bigint;
  /** Null: all users of the account. */
  readonly userId: bigint | null;
}

/**
 * Arms the timer or moves it, and says when it fires. The lock of its row decides whether it has fired before; the time is read
 * under the lock.
 */
export async function armTimer(database: Database, { accountId, userId }: TimerScope, timeoutS: number): Promise<Date> {
  const now = Prisma.sql`clock_timestamp() + ${clockAheadOf(Prisma.sql`${accountId}::bigint`)}`;
  const [row] = await queryRows<{ firesAt: Date }>(
    database.of(accountId),
    Prisma.sql`
    INSERT INTO cancel_timers AS timer (account_id, scope, timeout_s, fires_at)
    SELECT id, ${userId ?? WHOLE_ACCOUNT}::bigint, ${timeoutS}::int, ${now} + ${timeoutS}::int * interval '1 second'
      FROM accounts WHERE id = ${accountId} AND removed_since IS NULL
        ON CONFLICT (account_id, scope) DO UPDATE
       SET timeout_s = excluded.timeout_s, fires_at = ${now} + excluded.timeout_s * interval '1 second'
    RETURNING fires_at AS "firesAt"`,
  );
  if (row === undefined) throw new Refusal('sandbox-deleted');
  return row.firesAt;
}

export async function disarmTimer(database: Database, { accountId, userId }: TimerScope): Promise<void> {
  await database.of(accountId).$executeRaw`
    UPDATE cancel_timers SET fires_at = NULL WHERE account_id = ${accountId} AND scope = ${userId ?? WHOLE_ACCOUNT}`;
}

/** A timer that has fired, and offers of which may be left. */
export interface FiredTimer extends TimerScope {
  readonly upTo: bigint;
  readonly after: bigint;
}

/**
 * Fires what is due. A timer that somebody moves at that moment is moved before it fires, or fires before. Its row says what it
 * cancels, so that a worker which dies leaves nothing behind.
 */
export async function fireTimers(database: Database): Promise<void> {
  await database.inAll(async (tables) => {
    await tables.$executeRaw`
      UPDATE cancel_timers
         SET fires_at = NULL, fired_at = statement_timestamp(), fired_up_to = nextval('bets_id_seq'), canceling_after = 0
       WHERE fires_at <= statement_timestamp()`;
    await tables.$executeRaw`
      UPDATE cancel_timers timer
         SET fires_at = NULL, fired_at = statement_timestamp(), fired_up_to = nextval('bets_id_seq'), canceling_after = 0
        FROM accounts a
       WHERE a.clock_ahead > 0 AND timer.account_id = a.id
         AND timer.fires_at <= statement_timestamp() + a.clock_ahead * interval '1 microsecond'`;
  });
}

/** The timers that have fired, with offers left: accounts take turns, in each that of the whole account comes first. */
export async function findFired(database: Database): Promise<FiredTimer[]> {
  const found = await database.inAll((tables) =>
    queryRows<FiredTimer>(
      tables,
      Prisma.sql`
      SELECT account_id AS "accountId", nullif(scope, ${WHOLE_ACCOUNT}) AS "userId", fired_up_to AS "upTo", canceling_after AS after
        FROM cancel_timers
       WHERE canceling_after IS NOT NULL
         AND NOT EXISTS (SELECT FROM accounts a WHERE a.id = account_id AND a.removed_since IS NOT NULL)
       ORDER BY row_number() OVER (PARTITION BY account_id ORDER BY scope <> ${WHOLE_ACCOUNT}, fired_at), fired_at
       LIMIT ${TIMERS_AT_ONCE}`,
    ),
  );
  return found.flat();
}

/** The next wagers on which the scope has open offers: one look-up in an index for each. */
async function nextWagers(database: Database, { accountId, userId, after }: FiredTimer): Promise<bigint[]> {
  const ofScope = userId === null ? Prisma.sql`true` : Prisma.sql`requesting_user_id = ${userId}::bigint`;
  const nextTo = (wagerId: Prisma.Sql): Prisma.Sql => Prisma.sql`
    (SELECT wager_id FROM bets
      WHERE account_id = ${accountId}::bigint AND ${ofScope} AND offer_status = 'requesting' AND is_active
        AND wager_id > ${wagerId} ORDER BY wager_id LIMIT 1)`;
  const rows = await queryRows<{ id: bigint }>(
    database.of(accountId),
    Prisma.sql`
    WITH RECURSIVE found (id) AS (
      SELECT ${nextTo(Prisma.sql`${after}::bigint`)}
      UNION ALL SELECT ${nextTo(Prisma.sql`found.id`)} FROM found WHERE found.id IS NOT NULL)
    SELECT id FROM found WHERE id IS NOT NULL LIMIT ${WAGERS_AT_ONCE}`,
  );
  return rows.map(({ id }) => id);
}

const taskOf = ({ accountId, userId, upTo }: FiredTimer, wagerId: bigint) =>
  workerTask(accountId, { type: 'fire_timer', wagerId, userId, upTo, bound: OFFERS_OF_WAGER });

/**
 * Cancels the timer's offers on its next wagers, and returns whether that was all. What a worker has done and not noted, the next
 * one finds done.
 */
export async function cancelOfTimer(database: Database, work: UnitOfWork, timer: FiredTimer): Promise<boolean> {
  const wagerIds = await nextWagers(database, timer);
  if (wagerIds.length > 0) {
    const results = await work.runWaiting(wagerIds.map((id) => taskOf(timer, id)));
    for (const { kind } of results) if (kind !== 'done') throw new Error(`the timer's cancel was ${kind}`);
  }
  const last = wagerIds.length < WAGERS_AT_ONCE ? null : (wagerIds.at(-1) ?? null);
  const { accountId, userId, upTo, after } = timer;
  // Not where it has fired again, or another worker is ahead.
  await database.of(accountId).$executeRaw`
    UPDATE cancel_timers SET canceling_after = ${last}
     WHERE account_id = ${accountId} AND scope = ${userId ?? WHOLE_ACCOUNT}
       AND fired_up_to = ${upTo} AND canceling_after = ${after}`;
  return last === null;
}
