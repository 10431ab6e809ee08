import { type EventKind, eventKinds } from '#core/records.js';
import { actorOf } from '#events/event-cause.js';
import {
  type EventMark,
  type EventPosition,
  encodePosition,
  isPositionOf,
  logHeadOf,
  markOfHead,
  microsecondsOf,
} from '#events/event-position.js';
import { type EventExtra, operationsIn } from '#events/log-events.js';
import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { preparedAs } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import { MAX_EVENT_BYTES } from '#platform/quotas/answer-size.js';
import type { LoggedMark, SeqRange } from './event.js';

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
  /** No event before this number; usually 1. */
  readonly first?: bigint;
}

export interface WindowBackRequest {
  readonly accountId: bigint;
  /** Undefined: the end of the log. */
  readonly before: EventPosition | undefined;
  readonly size: number;
  /** No event after this number. Undefined: to the end of the log. */
  readonly last?: bigint | undefined;
}

export interface EventWindow {
  /** In the order in which they are read, without the event of the position. Fewer than asked for, when they are large. */
  readonly marks: readonly LoggedMark[];
  readonly head: EventMark;
}

const kindOf: ReadonlyMap<number, EventKind> = new Map(
  Object.entries(eventKinds).map(([kind, number]) => [number, kind as EventKind]),
);
const NO_EXTRA: EventExtra = {};
const LAST = Prisma.sql`9223372036854775807`;

interface RowsRequest extends SeqRange {
  readonly accountId: bigint;
  /** Which rows come first, and are read when the extras of all would be too large. */
  readonly first: 'oldest' | 'newest';
  /** The event of a position, which is compared and not shown: a row with no other event is read without its extras. */
  readonly position?: bigint;
  /** Extras are the large part of a row. Rows follow until theirs have so many bytes; 0: all rows, without extras. */
  readonly extraBytes: number;
}

const NO_POSITION = -1n;

/** How many bytes of extras precede a row, of those that come before it. */
const bytesBefore = (first: RowsRequest['first']): Prisma.Sql =>
  Prisma.sql`coalesce(sum(octet_length(w.extras::text)) OVER (ORDER BY w.last_seq ${
    first === 'oldest' ? Prisma.sql`ASC` : Prisma.sql`DESC`
  } ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`;

/** The rows with the events of these numbers, which are from 1 on. */
async function readRows(tables: AccountTables | Tx, request: RowsRequest): Promise<WindowRow[]> {
  const { accountId, from, until, first, position = NO_POSITION, extraBytes } = request;
  const isWhole = extraBytes > 0;
  const extras = isWhole
    ? Prisma.sql`CASE WHEN e.first_seq = ${position}::bigint AND e.last_seq = ${position}::bigint THEN NULL ELSE e.extras END`
    : Prisma.sql`NULL::jsonb`;
  const within = isWhole
    ? Prisma.sql`(SELECT w.*, ${bytesBefore(first)} AS before FROM window_rows w)`
    : Prisma.sql`window_rows`;
  const fits = isWhole ? Prisma.sql`g.before < ${extraBytes}::bigint` : Prisma.sql`TRUE`;
  return queryRows<WindowRow>(
    tables,
    Prisma.sql`${preparedAs(isWhole ? `event window from the ${first}` : 'event window without extras')}
    WITH window_rows AS (
      SELECT e.first_seq, e.last_seq, e.at, e.operations, e.kinds, e.refs, ${extras} AS extras
        FROM event_groups e
       WHERE e.account_id = ${accountId} AND e.last_seq >= ${from}::bigint
         AND e.last_seq <= coalesce((SELECT min(l.last_seq) FROM event_groups l
                                      WHERE l.account_id = ${accountId} AND l.last_seq >= ${until}::bigint), ${LAST}))
    SELECT h.head AS "logHead", g.first_seq AS "firstSeq", ${microsecondsOf(Prisma.sql`g.at`)} AS at,
           greatest(g.first_seq, ${from}::bigint) AS "fromSeq", g.operations, g.extras,
           array_to_string(g.kinds[(${from}::bigint - g.first_seq + 1)::int : (${until}::bigint - g.first_seq + 1)::int], ' ') AS kinds,
           array_to_string(g.refs[(${from}::bigint - g.first_seq + 1)::int : (${until}::bigint - g.first_seq + 1)::int], ' ') AS refs
      FROM (SELECT ${logHeadOf(accountId)} AS head) h
      LEFT JOIN ${within} g ON ${fits}
     ORDER BY g.last_seq`,
  );
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
export function assertInLog(position: EventPosition, found: LoggedMark | undefined, head: EventMark): void {
  if (found !== undefined && isPositionOf(position, found)) return;
  throw new Refusal('history-restored', { details: { head: encodePosition(position.accountId, head) } });
}

const marksIn = (rows: readonly WindowRow[]): LoggedMark[] =>
  rows.flatMap((row) => (row.firstSeq === null ? [] : [...marksOf(row)]));

export async function readWindow(tables: AccountTables | Tx, request: WindowRequest): Promise<EventWindow> {
  const { accountId, after, size, first = 1n } = request;
  const seq = after?.seq ?? 0n;
  if (after !== undefined && seq > 0n && first > seq + 1n) {
    const window = await readWindow(tables, { ...request, after: undefined });
    assertInLog(after, await readMark(tables, accountId, seq), window.head);
    return window;
  }
  // The event of the position is read as well, to be compared with it.
  const range =
    seq === 0n ? { from: first, until: first + BigInt(size) - 1n } : { from: seq, until: seq + BigInt(size) };
  const rows = await readRows(tables, {
    accountId,
    ...range,
    first: 'oldest',
    position: seq,
    extraBytes: MAX_EVENT_BYTES,
  });
  const head = markOfHead(rows[0]?.logHead ?? null);
  const marks = marksIn(rows);
  if (after === undefined || after.seq === 0n) return { marks, head };
  const [own, ...later] = marks;
  assertInLog(after, own, head);
  return { marks: later, head };
}

/** The window before a position, the newest first. */
export async function readWindowBack(tables: AccountTables | Tx, request: WindowBackRequest): Promise<EventWindow> {
  const { accountId, before, size, last } = request;
  if (before !== undefined && last !== undefined && last < before.seq - 1n) {
    const window = await readWindowBack(tables, { ...request, before: undefined });
    assertInLog(before, await readMark(tables, accountId, before.seq), window.head);
    return window;
  }
  // Read first: what comes meanwhile has higher numbers, which the window does not ask for.
  const head = await readLogHead(tables, accountId);
  const until = before?.seq ?? (last !== undefined && last < head.seq ? last : head.seq);
  if (until === 0n) return { marks: [], head };
  const from = until - BigInt(before === undefined ? size - 1 : size);
  const range = { from: from < 1n ? 1n : from, until };
  const rows = await readRows(tables, {
    accountId,
    ...range,
    first: 'newest',
    position: before?.seq ?? NO_POSITION,
    extraBytes: MAX_EVENT_BYTES,
  });
  const marks = marksIn(rows).reverse();
  if (before === undefined) return { marks, head };
  const [own, ...earlier] = marks;
  assertInLog(before, own, head);
  return { marks: earlier, head };
}

export interface MarksRequest extends SeqRange {
  readonly accountId: bigint;
  readonly extraBytes: number;
}

/** The events with these numbers, as far as the log and the bytes go, but at least the first. `from` is 1 or more. */
export async function readMarks(tables: AccountTables | Tx, request: MarksRequest): Promise<LoggedMark[]> {
  return marksIn(await readRows(tables, { ...request, first: 'oldest' }));
}

export async function readMark(
  tables: AccountTables | Tx,
  accountId: bigint,
  seq: bigint,
): Promise<LoggedMark | undefined> {
  const [mark] = await readMarks(tables, { accountId, from: seq, until: seq, extraBytes: MAX_EVENT_BYTES });
  return mark;
}

/** The events with these numbers, each in a row of its own; as far as their bytes go, but at least the first. */
export async function readMarksOf(
  tables: AccountTables | Tx,
  { accountId, seqs }: { readonly accountId: bigint; readonly seqs: readonly bigint[] },
): Promise<LoggedMark[]> {
  const rows = await queryRows<WindowRow>(
    tables,
    Prisma.sql`${preparedAs('events by their numbers')}
    WITH wanted AS (
      SELECT w.number, w.seq, (SELECT l.last_seq FROM event_groups l WHERE l.account_id = ${accountId} AND l.last_seq >= w.seq
                                ORDER BY l.last_seq LIMIT 1) AS last_seq
        FROM unnest(${seqs}::bigint[]) WITH ORDINALITY AS w (seq, number)),
    -- Each group once: its arrays may be large, and stored apart in compressed pieces. An array of an expression is not.
    read AS (
      SELECT g.first_seq, e.seq, g.kinds[(e.seq - g.first_seq + 1)::int] AS kind, g.refs[(e.seq - g.first_seq + 1)::int] AS ref, g.at, g.operations,
             g.extras -> (e.seq - g.first_seq)::text AS extra
        FROM (SELECT last_seq, array_agg(seq) AS seqs FROM wanted GROUP BY last_seq) w
       CROSS JOIN LATERAL (SELECT l.first_seq, l.at, l.operations, l.extras, l.kinds || '{}'::smallint[] AS kinds, l.refs || '{}'::bigint[] AS refs
                             FROM event_groups l WHERE l.account_id = ${accountId} AND l.last_seq = w.last_seq OFFSET 0) g
       CROSS JOIN LATERAL unnest(w.seqs) AS e (seq))
    SELECT NULL AS "logHead", first_seq AS "firstSeq", ${microsecondsOf(Prisma.sql`at`)} AS at, seq AS "fromSeq", operations,
           jsonb_build_object((seq - first_seq)::text, extra) AS extras, kind::text AS kinds, ref::text AS refs
      FROM (SELECT read.*, w.number, coalesce(sum(octet_length(read.extra::text)) OVER (ORDER BY w.number
                     ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
              FROM wanted w JOIN read ON read.seq = w.seq) numbered
     WHERE before < ${MAX_EVENT_BYTES}::bigint
     ORDER BY number`,
  );
  return marksIn(rows);
}

/** The end of the log at this moment. */
export async function readLogHead(tables: AccountTables | Tx, accountId: bigint): Promise<EventMark> {
  const head = Prisma.sql`SELECT ${logHeadOf(accountId)} AS "logHead"`;
  const [row] = await queryRows<{ logHead: string | null }>(tables, head);
  return markOfHead(row?.logHead ?? null);
}

/** The number of the last event before a moment; 0: none. Times do not go back, so the log is searched by halving. */
export async function readSeqBefore(tables: AccountTables | Tx, accountId: bigint, moment: Date): Promise<bigint> {
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
