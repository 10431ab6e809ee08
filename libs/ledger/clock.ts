import { execute, needsOf } from '#core/operation.js';
import type { ClockRun } from '#core/run-clock.js';
import { type Database, Prisma } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import type { Task } from './task.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Offers that expire in one transaction. */
const CHUNK = 1_000;
/** Wagers of one look: the next look finds the others. */
const WAGERS_AT_ONCE = 200;

export interface DueWager {
  readonly accountId: bigint;
  readonly wagerId: bigint;
}

/** What is due comes from its indexes alone, and each of its wagers by its key: no statistics can make it read a table. */
export const dueQuery = Prisma.sql`
  SELECT due.account_id AS "accountId", due.wager_id AS "wagerId"
    FROM (SELECT min(at) AS at, account_id, wager_id
            FROM (SELECT closes_at AS at, account_id, id AS wager_id FROM wagers
                   WHERE closes_at <= statement_timestamp() AND status <> 'closed' AND outcome = 'undecided'
                  UNION ALL
                  SELECT b.expires_at, b.account_id, b.wager_id FROM bets b
                   WHERE b.expires_at <= statement_timestamp() AND b.offer_status = 'requesting' AND b.is_active) ended
           GROUP BY account_id, wager_id) due
   CROSS JOIN LATERAL (SELECT FROM wagers w WHERE w.account_id = due.account_id AND w.id = due.wager_id
                          AND w.outcome = 'undecided' OFFSET 0) undecided
   ORDER BY due.at LIMIT ${WAGERS_AT_ONCE}`;

/** Wagers whose time has come, or an offer of which. By PostgreSQL's clock; those of a decided wager expire by its decision. */
export async function findDueWagers(database: Database): Promise<DueWager[]> {
  const found = await database.inAll((tables) => queryRows<DueWager>(tables, dueQuery));
  return found.flat();
}

const taskOf = ({ accountId, wagerId }: DueWager): Task<ClockRun> => {
  const operation = { type: 'run_clock', wagerId, bound: CHUNK } as const;
  return {
    accountId,
    needs: [needsOf(operation)],
    run: (book) => execute(book, operation),
    traceId: undefined,
    cause: { actor: 'worker', requestId: null },
  };
};

/**
 * Ends the next chunk of what is due of the wager, and returns whether that was all. The rows say what it is, so several workers
 * may do it at once.
 */
export async function endDue(work: UnitOfWork, due: DueWager): Promise<boolean> {
  const [result] = await work.runWaiting([taskOf(due)]);
  if (result?.kind !== 'done') throw new Error(`the clock of wager ${due.wagerId} was ${result?.kind}`);
  return (result.answer as ClockRun).isComplete;
}
