import { type EventKind, eventKinds } from '#core/event-kind.js';
import { actorOf } from '#events/event-cause.js';
import { type EventMark, type EventPosition, isPositionOf } from '#events/event-position.js';
import { logHeadOf, markOfHead, microsecondsOf, positionOf } from '#events/log-head.js';
import { type EventExtra, operationsIn } from '#events/logged-events.js';
import { Prisma, type Queryable } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { LoggedMark } from './event.js';

// Numbers have no gaps, so a window of numbers is a window of events, however many of them one row holds.

interface WindowRow {
  readonly logHead: string | null;
  /** NULL, like all that follow, when the window is empty. */
  readonly firstSeq: bigint | null;
  readonly at: bigint;
  /** The first event of the row that is in the window. */
  readonly fromSeq: bigint;
  readonly kinds: string;
  readonly refs: string;
  readonly operations: string;
  readonly extras: Readonly<Record<string, EventExtra>> | null;
}

export interface WindowRequest {
  readonly accountId: bigint;
  readonly after: EventPosition | undefined;
  readonly size: number;
}

export interface EventWindow {
  /** After the position, in order. */
  readonly marks: readonly LoggedMark[];
  readonly head: EventMark;
}

const kindOf: ReadonlyMap<number, EventKind> = new Map(
  Object.entries(eventKinds).map(([kind, number]) => [number, kind as EventKind]),
);
const NO_EXTRA: EventExtra = {};
const LAST = Prisma.sql`9223372036854775807`;

/** The rows with the events of these numbers, which are from 1 on. */
async function readRows(
  database: Queryable,
  { accountId, from, until }: { readonly accountId: bigint; readonly from: bigint; readonly until: bigint },
): Promise<WindowRow[]> {
  return database.$queryRaw<WindowRow[]>`/* prepared: event window */
    SELECT h.head AS "logHead", g.first_seq AS "firstSeq", ${microsecondsOf(Prisma.sql`g.at`)} AS at,
           greatest(g.first_seq, ${from}::bigint) AS "fromSeq", g.operations, g.extras,
           array_to_string(g.kinds[(${from}::bigint - g.first_seq + 1)::int : (${until}::bigint - g.first_seq + 1)::int], ' ') AS kinds,
           array_to_string(g.refs[(${from}::bigint - g.first_seq + 1)::int : (${until}::bigint - g.first_seq + 1)::int], ' ') AS refs
      FROM (SELECT ${logHeadOf(accountId)} AS head) h
      LEFT JOIN event_groups g
        ON g.account_id = ${accountId} AND g.last_seq >= ${from}::bigint
       AND g.last_seq <= coalesce((SELECT min(e.last_seq) FROM event_groups e
                                    WHERE e.account_id = ${accountId} AND e.last_seq >= ${until}::bigint), ${LAST})
     ORDER BY g.last_seq`;
}

function* marksOf({ firstSeq, fromSeq, at, kinds, refs, operations, extras }: WindowRow): Generator<LoggedMark> {
  const numbers = kinds.split(' ');
  const ids = refs.split(' ');
  let operationFirst = firstSeq ?? 0n;
  let index = 0;
  for (const { count, actor: stored, requestId } of operationsIn(operations)) {
    const operationLast = operationFirst + BigInt(count) - 1n;
    const actor = actorOf(stored);
    for (; index < numbers.length && fromSeq + BigInt(index) <= operationLast; index += 1) {
      const seq = fromSeq + BigInt(index);
      const kind = Number(numbers[index]);
      const type = kindOf.get(kind);
      if (type === undefined) throw new Error(`the log has an event of kind ${kind}`);
      const extra = extras?.[String(seq - (firstSeq ?? 0n))] ?? NO_EXTRA;
      const ref = BigInt(ids[index] ?? 0);
      yield { seq, at, kind, ref, type, extra, firstSeq: operationFirst, lastSeq: operationLast, actor, requestId };
    }
    operationFirst = operationLast + 1n;
  }
}

/** Refuses a position that is not in this log: the database was restored to a moment before it. */
export async function readWindow(database: Queryable, request: WindowRequest): Promise<EventWindow> {
  const { accountId, after, size } = request;
  const seq = after?.seq ?? 0n;
  // The event of the position is read as well, to be compared with it.
  const range = { from: seq === 0n ? 1n : seq, until: seq + BigInt(size) };
  const rows = await readRows(database, { accountId, ...range });
  const logHead = rows[0]?.logHead ?? null;
  const head = markOfHead(logHead);
  const marks = rows.flatMap((row) => (row.firstSeq === null ? [] : [...marksOf(row)]));
  if (after === undefined || after.seq === 0n) return { marks, head };
  const [own, ...later] = marks;
  if (own === undefined || !isPositionOf(after, own)) {
    throw new Refusal('history-restored', { details: { head: positionOf({ accountId, head: logHead }) } });
  }
  return { marks: later, head };
}

/** The events with these numbers, as far as the log goes. `from` is 1 or more. */
export async function readMarks(
  database: Queryable,
  accountId: bigint,
  range: { readonly from: bigint; readonly until: bigint },
): Promise<LoggedMark[]> {
  const rows = await readRows(database, { accountId, ...range });
  return rows.flatMap((row) => (row.firstSeq === null ? [] : [...marksOf(row)]));
}

export async function readMark(database: Queryable, accountId: bigint, seq: bigint): Promise<LoggedMark | undefined> {
  const [mark] = await readMarks(database, accountId, { from: seq, until: seq });
  return mark;
}

/** The end of the log at this moment. */
export async function readLogHead(database: Queryable, accountId: bigint): Promise<EventMark> {
  const [row] = await database.$queryRaw<[{ logHead: string | null }]>`SELECT ${logHeadOf(accountId)} AS "logHead"`;
  return markOfHead(row.logHead);
}
