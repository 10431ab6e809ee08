import { eventKinds } from '#core/records.js';
import type { EventMark, EventPosition } from '#events/event-position.js';
import { type AccountTables, type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import { preparedAs } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';
import { readMark, readWindow } from './event-window.js';

// What was matched, summed from the events that say so. The log never changes, so a reader that adds up the answers of one
// cursor after the other has the sum at the last.

/** A request looks at so many events at most. */
const LOOKED_AT = 100_000;

export interface MatchedTotalsRequest {
  readonly accountId: bigint;
  /** A position, or a moment: what came after it, or not before it. Undefined: from the first event on. */
  readonly after: EventPosition | Date | undefined;
}

export interface MatchedTotals {
  readonly bets: bigint;
  /** In micro-units. */
  readonly amount: bigint;
  /** The last event that was looked at, or the head when there was none. */
  readonly next: EventMark;
  readonly head: EventMark;
}

/** The number of the last event before a moment; 0: none. Times do not go back, so the log is searched by halving. */
async function readSeqBefore(tables: AccountTables | Tx, accountId: bigint, moment: Date): Promise<bigint> {
  const [row] = await queryRows<{ seq: bigint }>(
    tables,
    Prisma.sql`${preparedAs('event before')}
    WITH RECURSIVE search (before, from_here) AS (
      SELECT 0::bigint, (SELECT last_seq + 1 FROM event_heads WHERE account_id = ${accountId})
       UNION ALL
      SELECT CASE WHEN g.at < ${moment}::timestamptz THEN g.last_seq ELSE s.before END,
             CASE WHEN g.at < ${moment}::timestamptz THEN s.from_here ELSE g.first_seq END
        FROM search s
       CROSS JOIN LATERAL (
         SELECT first_seq, last_seq, at FROM event_groups
          WHERE account_id = ${accountId} AND last_seq >= s.before + (s.from_here - s.before) / 2
          ORDER BY last_seq LIMIT 1) g
       WHERE s.from_here - s.before > 1)
    SELECT max(before) AS seq FROM search`,
  );
  return row?.seq ?? 0n;
}

interface SumRow {
  readonly bets: bigint;
  /** As numeric text: the sum may pass 64 bits. */
  readonly amount: string;
}

/** Each event's trail entry is looked up by its key: the planner cannot know how few they are. */
async function readSum(
  tables: AccountTables | Tx,
  accountId: bigint,
  { from, until }: { readonly from: bigint; readonly until: bigint },
): Promise<SumRow> {
  const [sum] = await queryRows<SumRow>(
    tables,
    Prisma.sql`${preparedAs('matched totals')}
    SELECT count(*) AS bets, coalesce(sum(t.effective_amount), 0)::text AS amount
      FROM event_groups g
     CROSS JOIN LATERAL unnest(g.kinds, g.refs) WITH ORDINALITY AS e (kind, ref, number)
     CROSS JOIN LATERAL (
       SELECT effective_amount FROM bet_trails WHERE account_id = ${accountId} AND id = e.ref LIMIT 1) t
     WHERE g.account_id = ${accountId} AND g.last_seq >= ${from}::bigint
       AND g.last_seq <= (SELECT min(last_seq) FROM event_groups
                           WHERE account_id = ${accountId} AND last_seq >= ${until}::bigint)
       AND e.kind = ${eventKinds['offer.matched']}::int
       AND g.first_seq + e.number - 1 BETWEEN ${from}::bigint AND ${until}::bigint`,
  );
  return sum ?? { bets: 0n, amount: '0' };
}

/** On one connection: of two standbys one may lack what the other has shown. */
export const readMatchedTotals = (database: Database, request: MatchedTotalsRequest): Promise<MatchedTotals> =>
  withTx(database.of(request.accountId), async (tx) => {
    const { accountId, after } = request;
    const position = after instanceof Date ? undefined : after;
    const { head } = await readWindow(tx, { accountId, after: position, size: 1 });
    const seq = after instanceof Date ? await readSeqBefore(tx, accountId, after) : (after?.seq ?? 0n);
    if (seq >= head.seq) return { bets: 0n, amount: 0n, next: head, head };
    const last = seq + BigInt(LOOKED_AT);
    const beyond = last < head.seq ? await readMark(tx, accountId, last) : undefined;
    const next = beyond ?? head;
    const { bets, amount } = await readSum(tx, accountId, { from: seq + 1n, until: next.seq });
    return { bets, amount: BigInt(amount), next, head };
  });
