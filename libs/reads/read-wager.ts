import { logHeadOf, noteAsOf } from '#events/event-position.js';
import { timeOfAccount } from '#ledger/clock.js';
import { betsOfWager, decisionSql, isPendingSql } from '#ledger/pending-bets.js';
import { type AccountTables, type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import { preparedAs } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import { type OrderBook, type OrderBookRequest, readOrderBook } from './order-book.js';
import type { ShownWager, WagerWithSettlement } from './wager.js';

/** As the core's `statusAt` and `reasonAt`: past its time a wager is closed, whatever its row says. */
const isPastItsTime = Prisma.sql`w.status <> 'closed' AND w.closes_at IS NOT NULL
  AND w.closes_at <= ${timeOfAccount(Prisma.sql`w.account_id`)}`;

export const wagerColumns = Prisma.sql`w.account_id AS "accountId", w.id, w.reference, w.outcome,
  CASE WHEN ${isPastItsTime} THEN 'closed' ELSE w.status END AS status,
  CASE WHEN ${isPastItsTime} THEN NULL ELSE w.status_reason END AS "statusReason", w.closes_at AS "closesAt", w.event,
  w.starts_at AS "startsAt", w.revision,
  w.settling_since AS "settlingSince", w.created_at AS "createdAt", w.updated_at AS "updatedAt"`;

/** Of the bets of the wager `w`. */
const countedBets = Prisma.sql`
  SELECT count(*) FILTER (WHERE b.accepting_user_id IS NOT NULL) AS bets, count(b.settled_outcome) AS settled,
         count(*) FILTER (WHERE ${isPendingSql(Prisma.sql`b`, decisionSql(null, null))}) AS remaining
    FROM ${betsOfWager(Prisma.sql`w.account_id`, Prisma.sql`w.id`)} b`;

interface CountedWagerRow extends ShownWager {
  readonly bets: bigint;
  readonly settled: bigint;
  readonly remaining: bigint;
  readonly logHead: string | null;
}

/** One statement reads the wager and counts its bets, so both are of one moment. It looks at every bet of the wager. */
export async function readWager(
  tables: AccountTables | Tx,
  accountId: bigint,
  reference: string,
): Promise<WagerWithSettlement> {
  const [row] = await queryRows<CountedWagerRow>(
    tables,
    Prisma.sql`${preparedAs('wager')}
    SELECT ${wagerColumns}, ${logHeadOf(accountId)} AS "logHead", counted.* FROM wagers w
     CROSS JOIN LATERAL (${countedBets}) AS counted
     WHERE w.account_id = ${accountId} AND w.reference = ${reference}`,
  );
  if (row === undefined) throw new Refusal('wager-not-found');
  const { bets, settled, remaining, logHead: head, ...wager } = row;
  noteAsOf(tables, { accountId, head });
  return {
    wager,
    settlement: { bets: Number(bets), settled: Number(settled), remaining: Number(remaining) },
  };
}

export interface WagerWithBook extends WagerWithSettlement {
  readonly book: OrderBook;
}

/** Both of one snapshot. */
export const readWagerWithBook = (
  database: Database,
  accountId: bigint,
  request: OrderBookRequest,
): Promise<WagerWithBook> =>
  withTx(
    database.of(accountId),
    async (snapshot) => ({
      ...(await readWager(snapshot, accountId, request.reference)),
      book: await readOrderBook(snapshot, accountId, request),
    }),
    'RepeatableRead',
  );
