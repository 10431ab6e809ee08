import { BEGINNING, type EventMark } from '#events/event-position.js';
import type { AccountTables, Tx } from '#platform/database/database.js';
import type { LogEvent, LoggedMark } from '#reads/event.js';
import { bytesOf } from '#reads/event-bytes.js';
import { readEvents } from '#reads/event-facts.js';
import { readMark, readMarks } from '#reads/event-window.js';

// What deliveries read of the log.

/** Of the events of one round. A process delivers to 50 endpoints at once, and holds this for each of them. */
const MAX_BYTES = 256 * 1_024;
/** So many are read with what they are about: an offer may name 2,000 acceptors. */
const PART = 25;
/** Numbers that lie close together are read as one range. */
const GAP = 100n;

interface Range {
  readonly from: bigint;
  until: bigint;
}

function rangesOf(seqs: readonly bigint[]): Range[] {
  const ranges: Range[] = [];
  for (const seq of seqs) {
    const last = ranges.at(-1);
    if (last !== undefined && seq - last.until <= GAP) last.until = seq;
    else ranges.push({ from: seq, until: seq });
  }
  return ranges;
}

export interface AccountLog {
  readonly accountId: bigint;
  /** The next events, as marks without their extras. */
  after(seq: bigint, count: number): Promise<LoggedMark[]>;
  /** The position of a number; 0 is the beginning. */
  markOf(seq: bigint): Promise<EventMark>;
  /** What `view` takes of each event. Only a few events are in memory at once. */
  show<View>(marks: readonly LoggedMark[], view: (event: LogEvent) => View): Promise<View[]>;
  /** The first of the events with these numbers, which ascend: as many as have few bytes together, but at least one. */
  eventsOf(seqs: readonly bigint[]): Promise<LogEvent[]>;
}

export function openAccountLog(tables: AccountTables | Tx, accountId: bigint): AccountLog {
  async function show<View>(marks: readonly LoggedMark[], view: (event: LogEvent) => View): Promise<View[]> {
    const shown: View[] = [];
    for (let index = 0; index < marks.length; index += PART) {
      shown.push(...(await readEvents(tables, accountId, marks.slice(index, index + PART))).map(view));
    }
    return shown;
  }

  /** The wanted ones of a range, a few at once. */
  async function* partsIn({ from, until }: Range, wanted: ReadonlySet<bigint>): AsyncGenerator<LoggedMark[]> {
    for (let next = from; next <= until; ) {
      const marks = await readMarks(tables, { accountId, from: next, until, extraBytes: MAX_BYTES });
      const last = marks.at(-1);
      if (last === undefined) return;
      const found = marks.filter(({ seq }) => wanted.has(seq));
      for (let index = 0; index < found.length; index += PART) yield found.slice(index, index + PART);
      next = last.seq + 1n;
    }
  }

  return {
    accountId,
    show,
    after: (seq, count) => readMarks(tables, { accountId, from: seq + 1n, until: seq + BigInt(count), extraBytes: 0 }),
    async markOf(seq) {
      if (seq === 0n) return BEGINNING;
      const mark = await readMark(tables, accountId, seq);
      if (mark === undefined) throw new Error(`the log of account ${accountId} has no event ${seq}`);
      return mark;
    },
    async eventsOf(seqs) {
      const wanted = new Set(seqs);
      const events: LogEvent[] = [];
      let bytes = 0;
      for (const range of rangesOf(seqs)) {
        for await (const marks of partsIn(range, wanted)) {
          for (const event of await readEvents(tables, accountId, marks)) {
            bytes += bytesOf(event);
            if (bytes > MAX_BYTES && events.length > 0) return events;
            events.push(event);
          }
        }
      }
      return events;
    },
  };
}
