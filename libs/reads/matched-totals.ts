import { eventKinds } from '#core/records.js';
import type { EventMark, EventPosition } from '#events/event-position.js';
import { type AccountTables, type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import { preparedAs } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';
import { readMark, readSeqBefore, readWindow } from './event-window.js';

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
