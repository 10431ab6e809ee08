import type { OddsMicros } from '#core/money.js';
import type { Outcome } from '#core/records.js';
import { logHeadOf, noteAsOf } from '#events/event-position.js';
import { timeOfAccount } from '#ledger/clock.js';
import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import { isCancelPending, isOpenSql, listedBets, pendingCancels } from './bet-conditions.js';
import { wagerIdsOf } from './ids-by-reference.js';
import { inAccounts } from './list-reader.js';

/** The open offers of a wager at the same odds. */
interface BookLevel {
  readonly odds: OddsMicros;
  /** Text: a sum may exceed 64 bits. */
  readonly amount: string;
  readonly offers: bigint;
  readonly oldest: Date;
}

export interface OrderBook {
  readonly reference: string;
  readonly outcome: Outcome;
  readonly settlingSince: Date | null;
  /** Everything that was committed before this moment is in the book. */
  readonly asOf: Date;
  /** The lowest odds first. */
  readonly levels: readonly BookLevel[];
  readonly openAmount: string;
  readonly openOffers: bigint;
  readonly matchedAmount: string;
  readonly matchedBets: bigint;
  /** The latest acceptance; null: there is none. */
  readonly lastMatched: { readonly odds: OddsMicros; readonly amount: string; readonly at: Date } | null;
}

export interface OrderBookRequest {
  readonly reference: string;
  /** The number of levels; the totals are of all. */
  readonly depth: number;
  /** Leaves out the offers that this user may not accept. */
  readonly userId: bigint | undefined;
}

interface BookRow extends Omit<OrderBook, 'levels' | 'lastMatched'>, Partial<BookLevel> {
  readonly matchedOdds: OddsMicros | null;
  readonly matchedFor: bigint | null;
  readonly matchedAt: Date | null;
  readonly hasEnding: boolean;
  readonly logHead: string | null;
}

const mayAccept = (userId: bigint): Prisma.Sql => Prisma.sql`listed.requesting_user_id <> ${userId}
  AND (listed.allowed_acceptor_ids = '{}' OR ${userId}::bigint = ANY(listed.allowed_acceptor_ids))`;

/** Neither a pending cancel nor their time has ended them. */
const notEnded = (accountId: bigint): Prisma.Sql[] => [
  Prisma.sql`NOT EXISTS (
    SELECT FROM (${pendingCancels(inAccounts([accountId]))}) AS cancel WHERE ${isCancelPending})`,
  Prisma.sql`(listed.expires_at IS NULL OR listed.expires_at > ${timeOfAccount(Prisma.sql`${accountId}::bigint`)})`,
];

/** Each condition reads the bets themselves; without one, the matching index alone holds the book. */
const bookQuery = (
  accountId: bigint,
  wagerId: bigint,
  { depth, conditions }: { readonly depth: number; readonly conditions: readonly Prisma.Sql[] },
): Prisma.Sql => Prisma.sql`
  WITH levels AS MATERIALIZED (
    SELECT listed.requesting_odds AS odds, sum(listed.requesting_amount) AS amount, count(*) AS offers,
           min(listed.created_at) AS oldest
      FROM ${listedBets}
     WHERE listed.account_id = ${accountId} AND listed.wager_id = ${wagerId}
       AND ${Prisma.join([isOpenSql, ...conditions], ' AND ')}
     GROUP BY listed.requesting_odds)
  SELECT w.reference, w.outcome, w.settling_since AS "settlingSince", statement_timestamp() AS "asOf",
         ${logHeadOf(accountId)} AS "logHead",
         w.pending_cancels IS NOT NULL OR w.has_expiring AS "hasEnding", w.matched_bets AS "matchedBets",
         w.matched_amount::text AS "matchedAmount", matched.requesting_odds AS "matchedOdds",
         matched.effective_amount AS "matchedFor", (
           SELECT min(t.created_at) FROM bet_trails t
            WHERE t.account_id = ${accountId} AND t.bet_id = w.last_matched_bet_id AND t.accepting_amount IS NOT NULL
         ) AS "matchedAt",
         open.offers AS "openOffers", open.amount::text AS "openAmount",
         level.odds, level.amount::text AS amount, level.offers, level.oldest
    FROM wagers w
   CROSS JOIN (SELECT coalesce(sum(offers), 0)::bigint AS offers, coalesce(sum(amount), 0) AS amount FROM levels) AS open
    LEFT JOIN (SELECT * FROM levels ORDER BY odds LIMIT ${depth}) AS level ON TRUE
    LEFT JOIN bets matched ON matched.account_id = ${accountId} AND matched.id = w.last_matched_bet_id
   WHERE w.account_id = ${accountId} AND w.id = ${wagerId} ORDER BY level.odds`;

function bookOf(rows: readonly BookRow[]): OrderBook {
  const [{ matchedOdds, matchedFor, matchedAt, hasEnding: _, odds: _o, amount: _a, offers: _f, oldest: _t, ...first }] =
    rows as readonly [BookRow];
  const { logHead: _h, ...book } = first;
  const isMatched = matchedOdds !== null && matchedFor !== null && matchedAt !== null;
  return {
    ...book,
    // A book without offers is one row with the totals alone.
    levels: rows.flatMap(({ odds, amount, offers, oldest }) =>
      odds == null || amount == null || offers == null || oldest == null ? [] : [{ odds, amount, offers, oldest }],
    ),
    lastMatched: isMatched ? { odds: matchedOdds, amount: String(matchedFor), at: matchedAt } : null,
  };
}

/**
 * One statement reads the whole book, so all of it is of one moment. The open offers of a decided wager count as expired, and
 * those of a pending cancel as canceled, before the worker has ended them; so do offers whose time has come. The matching index
 * knows neither who made an offer nor when it ends, so a book is read again without such offers when the wager may have some.
 */
export async function readOrderBook(
  tables: AccountTables | Tx,
  accountId: bigint,
  { reference, depth, userId }: OrderBookRequest,
): Promise<OrderBook> {
  const [wagerId] = (await wagerIdsOf(tables, [accountId], [reference])) ?? [];
  if (wagerId === undefined) throw new Refusal('wager-not-found');
  const isUndecided = Prisma.sql`EXISTS (SELECT FROM wagers
    WHERE account_id = ${accountId} AND id = ${wagerId} AND outcome = 'undecided')`;
  const conditions = [isUndecided, ...(userId === undefined ? [] : [mayAccept(userId)])];
  const read = (more: readonly Prisma.Sql[]) =>
    queryRows<BookRow>(tables, bookQuery(accountId, wagerId, { depth, conditions: [...conditions, ...more] }));
  const plain = await read([]);
  const rows = plain[0]?.hasEnding ? await read(notEnded(accountId)) : plain;
  noteAsOf(tables, { accountId, head: rows[0]?.logHead ?? null });
  return bookOf(rows);
}
