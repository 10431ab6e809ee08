import { eventKinds, stepKinds } from '#core/records.js';
import { DAY_MS, HOUR_MS } from '#platform/config/time-units.js';
import { type Tables, type Tx, withTx } from '#platform/database/database.js';
import type { AccountRange } from './scope.js';

/*
 * A closing is what an account's ledger came to at the end of a day. It is cut by numbers, not by time: up to the last row
 * that the day began. At least an hour later, when every transaction of that day has ended, no row with a lower id can appear.
 *
 * Closings are a chain: each is made from the one before, which must still be the one that the audit started from.
 */

/** The first moment (UTC) after the last day that can be closed at a moment of PostgreSQL's clock, which dates the rows. */
export function endOfClosableDay(now: Date): Date {
  const end = new Date(now.getTime() - HOUR_MS);
  end.setUTCHours(0, 0, 0, 0);
  return end;
}

/** The day that ended there. */
export const dayBefore = (dayEnd: Date): string => new Date(dayEnd.getTime() - DAY_MS).toISOString().slice(0, 10);

/** The closing that an audit proposes. */
export interface ProposedClosing {
  readonly accountId: bigint;
  readonly lastBetId: bigint;
  readonly lastTrailId: bigint;
  readonly lastTransactionId: bigint;
  readonly lastEventSeq: bigint;
  readonly bets: bigint;
  readonly transactions: bigint;
  /** The closing that it starts from: what the audit has taken as confirmed. */
  readonly fromDay: string;
  readonly fromTrailId: bigint;
  readonly fromTransactionId: bigint;
  readonly fromEventSeq: bigint;
}

const lastIdBefore = (table: string, closed: string): string => `
  greatest(${closed}, (SELECT id FROM ${table} WHERE account_id = a.id AND created_at < $1::timestamptz
                        ORDER BY id DESC LIMIT 1))`;

const countUpTo = (table: string, last: string): string => `
  n.${table} + (SELECT count(*) FROM ${table} t
     WHERE t.account_id = n.account_id AND t.id > n.from_${last} AND t.id <= n.last_${last})`;

/** The number before the first group with an event of a later trail entry or transaction; without one, the end of the log. */
const lastEventSeq = `
  coalesce(
    (SELECT min(g.first_seq) - 1
       FROM event_groups g CROSS JOIN LATERAL unnest(g.kinds, g.refs) AS e (kind, ref)
      WHERE g.account_id = n.account_id AND g.last_seq > n.from_event_seq
        AND (e.kind BETWEEN ${stepKinds.first} AND ${stepKinds.last} AND e.ref > n.last_trail_id
             OR e.kind = ${eventKinds['transaction.created']} AND e.ref > n.last_transaction_id)),
    (SELECT h.last_seq FROM event_heads h WHERE h.account_id = n.account_id), 0)`;

/** Only of accounts that have a closing, if only one of nothing: a provider may have deleted it meanwhile. */
const proposal = `
  SELECT n.account_id AS "accountId", n.last_bet_id AS "lastBetId", n.last_trail_id AS "lastTrailId",
         n.last_transaction_id AS "lastTransactionId", ${lastEventSeq} AS "lastEventSeq",
         n.from_day::text AS "fromDay", n.from_trail_id AS "fromTrailId", n.from_transaction_id AS "fromTransactionId",
         n.from_event_seq AS "fromEventSeq",
         ${countUpTo('bets', 'bet_id')} AS bets, ${countUpTo('transactions', 'transaction_id')} AS transactions
    FROM (SELECT a.id AS account_id, ${lastIdBefore('bets', 'c.last_bet_id')} AS last_bet_id,
                 ${lastIdBefore('bet_trails', 'c.last_trail_id')} AS last_trail_id,
                 ${lastIdBefore('transactions', 'c.last_transaction_id')} AS last_transaction_id, c.day AS from_day, c.last_bet_id AS from_bet_id,
                 c.last_trail_id AS from_trail_id, c.last_transaction_id AS from_transaction_id,
                 c.last_event_seq AS from_event_seq, c.bets, c.transactions
            FROM accounts a JOIN account_closings c ON c.account_id = a.id
           WHERE a.id BETWEEN $2 AND $3 AND c.day < ($1::timestamptz AT TIME ZONE 'UTC')::date - 1
          OFFSET 0) n`;

/** The closings that are due, in the snapshot that was audited. */
export async function proposeClosings(
  snapshot: Tx,
  { from, to }: AccountRange,
  dayEnd: Date,
): Promise<ProposedClosing[]> {
  await snapshot.prisma.$executeRawUnsafe(`SET LOCAL enable_nestloop = on`);
  const closings = await snapshot.prisma.$queryRawUnsafe<ProposedClosing[]>(proposal, dayEnd, from, to);
  await snapshot.prisma.$executeRawUnsafe(`SET LOCAL enable_nestloop = off`);
  return closings;
}

const sumOf = (source: string, received: string): string =>
  `coalesce(sum(${received}) FILTER (WHERE t.transaction_source = '${source}'), 0)`;

const change = `CASE t.transaction_type WHEN 'credit' THEN t.amount WHEN 'debit' THEN -t.amount ELSE 0 END`;

/** Locks the closings that are still what their proposals start from, in the order of all transactions. */
const lockBases = `
  SELECT c.account_id AS "accountId"
    FROM account_closings c
    JOIN unnest($2::bigint[], $3::date[], $4::bigint[], $5::bigint[], $6::bigint[])
         AS n (account_id, day, trail_id, transaction_id, event_seq)
      ON n.account_id = c.account_id
   WHERE c.day < $1::date AND c.day = n.day AND c.last_trail_id = n.trail_id AND c.last_transaction_id = n.transaction_id
     AND c.last_event_seq = n.event_seq
   ORDER BY c.account_id FOR UPDATE OF c`;

/** Of users with a transaction since the locked closing. */
const insertDaily = `
  INSERT INTO daily_closings (account_id, user_id, day, balance, funding, withdrawal, bet, correction, last_transaction_id)
  SELECT n.account_id, s.user_id, $1::date, coalesce(last.balance, 0) + s.funding - s.withdrawal + s.bet + s.correction,
         coalesce(last.funding, 0) + s.funding, coalesce(last.withdrawal, 0) + s.withdrawal,
         coalesce(last.bet, 0) + s.bet, coalesce(last.correction, 0) + s.correction, s.last_id
    FROM unnest($2::bigint[], $3::bigint[]) AS n (account_id, up_to_id)
    JOIN account_closings c ON c.account_id = n.account_id
   CROSS JOIN LATERAL (
      SELECT t.user_id, ${sumOf('funding', change)} AS funding, ${sumOf('withdrawal', `-(${change})`)} AS withdrawal,
             ${sumOf('bet', change)} AS bet, ${sumOf('correction', change)} AS correction, max(t.id) AS last_id
        FROM transactions t
       WHERE t.account_id = n.account_id AND t.id > c.last_transaction_id AND t.id <= n.up_to_id GROUP BY t.user_id) s
    LEFT JOIN LATERAL (SELECT * FROM daily_closings d WHERE d.account_id = n.account_id AND d.user_id = s.user_id
                        ORDER BY d.day DESC LIMIT 1) last ON true`;

const updateAccounts = `
  UPDATE account_closings c
     SET day = $1::date, closed_at = $2::timestamptz, last_bet_id = n.bet_id, last_trail_id = n.trail_id,
         last_transaction_id = n.transaction_id, last_event_seq = n.event_seq, bets = n.bets,
         transactions = n.transactions, audit_due_since = $2::timestamptz
    FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
         AS n (account_id, bet_id, trail_id, transaction_id, event_seq, bets, transactions)
   WHERE c.account_id = n.account_id`;

const countNotClosed = `
  SELECT count(*)::int AS "leftAccounts" FROM unnest($2::bigint[]) AS n (account_id)
   WHERE NOT EXISTS (SELECT FROM account_closings c WHERE c.account_id = n.account_id AND c.day >= $1::date)`;

export interface ClosingsToWrite {
  readonly closings: readonly ProposedClosing[];
  readonly dayEnd: Date;
  readonly closedAt: Date;
}

const TIMEOUT_MS = 30 * 60_000;
const CONNECTION_WAIT_MS = 10_000;

export interface WrittenClosings {
  readonly closedAccounts: number;
  /** Accounts that are still not closed for this day: their closing has changed since the audit read it. */
  readonly leftAccounts: number;
}

/**
 * Writes the closings that an audit confirmed. It leaves out an account whose closing another audit or a provider has
 * changed since. The sums are of final rows.
 */
export async function writeClosings(tables: Tables, options: ClosingsToWrite): Promise<WrittenClosings> {
  const { closings, dayEnd, closedAt } = options;
  if (closings.length === 0) return { closedAccounts: 0, leftAccounts: 0 };
  const day = dayBefore(dayEnd);
  const column = (pick: (closing: ProposedClosing) => bigint | string, of = closings) => `{${of.map(pick).join()}}`;
  return withTx(
    tables,
    async (tx) => {
      await tx.prisma.$executeRawUnsafe(`SET LOCAL statement_timeout = ${TIMEOUT_MS}`);
      const bases = await tx.prisma.$queryRawUnsafe<{ accountId: bigint }[]>(
        lockBases,
        day,
        column(({ accountId }) => accountId),
        column(({ fromDay }) => fromDay),
        column(({ fromTrailId }) => fromTrailId),
        column(({ fromTransactionId }) => fromTransactionId),
        column(({ fromEventSeq }) => fromEventSeq),
      );
      const locked = new Set(bases.map(({ accountId }) => accountId));
      const next = closings.filter(({ accountId }) => locked.has(accountId));
      const accountIds = column(({ accountId }) => accountId, next);
      const lastTransactionIds = column(({ lastTransactionId }) => lastTransactionId, next);
      await tx.prisma.$executeRawUnsafe(insertDaily, day, accountIds, lastTransactionIds);
      await tx.prisma.$executeRawUnsafe(
        updateAccounts,
        day,
        closedAt,
        accountIds,
        column(({ lastBetId }) => lastBetId, next),
        column(({ lastTrailId }) => lastTrailId, next),
        lastTransactionIds,
        column(({ lastEventSeq }) => lastEventSeq, next),
        column(({ bets }) => bets, next),
        column(({ transactions }) => transactions, next),
      );
      const others = column(
        ({ accountId }) => accountId,
        closings.filter(({ accountId }) => !locked.has(accountId)),
      );
      const [{ leftAccounts }] = await tx.prisma.$queryRawUnsafe<[{ leftAccounts: number }]>(
        countNotClosed,
        day,
        others,
      );
      return { closedAccounts: next.length, leftAccounts };
    },
    { timeout: TIMEOUT_MS, maxWait: CONNECTION_WAIT_MS },
  );
}
