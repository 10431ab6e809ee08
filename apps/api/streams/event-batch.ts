import type { EventKind } from '#core/records.js';
import { decodePosition, type EventMark, type EventPosition, encodePosition } from '#events/event-position.js';
import { frameText } from '#http/event-stream.js';
import type { EventPage, LogEvent, NewestEventPage } from '#reads/event.js';
import { presentEvent } from '#reads/shown-event.js';

/** A position in the log of an account. */
export interface LogPosition {
  readonly seq: bigint;
  readonly cursor: string;
}

export const logPositionOf = (accountId: bigint, mark: EventMark): LogPosition => ({
  seq: mark.seq,
  cursor: encodePosition(accountId, mark),
});

export const eventPositionOf = ({ cursor }: LogPosition): EventPosition => decodePosition(cursor) as EventPosition;

interface ShownEvent {
  readonly position: LogPosition;
  readonly frame: string;
}

const NONE: ReadonlyMap<EventKind, number> = new Map();

/** Events that were read at once, for one stream or for all of an account. Their frames are made once. */
export class EventBatch {
  readonly events: readonly LogEvent[];
  /** Up to where the batch goes: filters may have left out what is there. */
  readonly next: LogPosition;
  /** The end of the log, when it was read. */
  readonly head: EventMark;
  /** How many of each type were left out between `after` and the events. */
  readonly skipped: ReadonlyMap<EventKind, number>;
  readonly #shown: ShownEvent[] = [];

  constructor(
    private readonly accountId: bigint,
    /** The batch follows this position. */
    readonly after: LogPosition,
    { events, next, head, skipped = NONE }: EventPage & Partial<NewestEventPage>,
  ) {
    this.events = events;
    this.head = head;
    this.skipped = skipped;
    this.next = next === undefined ? after : logPositionOf(accountId, next);
  }

  shown(index: number): ShownEvent {
    const known = this.#shown[index];
    if (known !== undefined) return known;
    const data = presentEvent(this.accountId, this.events[index] as LogEvent);
    const { seq } = this.events[index] as LogEvent;
    const position = { seq, cursor: data.cursor };
    const made = { position, frame: frameText({ id: data.cursor, event: data.type, data }) };
    this.#shown[index] = made;
    return made;
  }
}
