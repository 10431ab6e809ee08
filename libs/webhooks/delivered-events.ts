import { BEGINNING, type EventMark } from '#events/event-position.js';
import type { Queryable } from '#platform/database/database.js';
import { placementOf } from '#platform/database/placement.js';
import type { LogEvent, LoggedMark } from '#reads/event.js';
import { readEvents } from '#reads/event-facts.js';
import { readMark, readMarks } from '#reads/event-window.js';

// What deliveries read of the log.

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
  /** The next events, as marks. */
  after(seq: bigint, count: number): Promise<LoggedMark[]>;
  /** The position of a number; 0 is the beginning. */
  markOf(seq: bigint): Promise<EventMark>;
  readonly show: (marks: readonly LoggedMark[]) => Promise<LogEvent[]>;
  /** The events with these numbers, which ascend. */
  eventsOf(seqs: readonly bigint[]): Promise<LogEvent[]>;
}

export function openAccountLog(database: Queryable, accountId: bigint): AccountLog {
  const placement = placementOf(database, accountId);
  const show = (marks: readonly LoggedMark[]) => readEvents(placement, accountId, marks);
  return {
    show,
    after: (seq, count) => readMarks(placement, accountId, { from: seq + 1n, until: seq + BigInt(count) }),
    async markOf(seq) {
      if (seq === 0n) return BEGINNING;
      const mark = await readMark(placement, accountId, seq);
      if (mark === undefined) throw new Error(`the log of account ${accountId} has no event ${seq}`);
      return mark;
    },
    async eventsOf(seqs) {
      const wanted = new Set(seqs);
      const marks: LoggedMark[] = [];
      for (const range of rangesOf(seqs)) {
        const found = await readMarks(placement, accountId, range);
        marks.push(...found.filter(({ seq }) => wanted.has(seq)));
      }
      return show(marks);
    },
  };
}
