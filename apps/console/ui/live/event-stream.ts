import type { Schemas } from '../api/api.js';
import type { Frame } from './event-reader.js';
import { follow } from './follow.js';

// The stream of an account's events, for pages that show what happens. Of a busy account the API sends the newest events
// alone, together, so what an open page costs does not grow with the account's traffic.

export type LedgerEvent = Schemas['Event'];

/** A page shows a change so much later, when others came just before it. */
const CONFLATE_MS = 1_000;

export type StreamMessage =
  | { readonly kind: 'event'; readonly event: LedgerEvent }
  /** Events of these types were left out; undefined: of any. */
  | { readonly kind: 'missed'; readonly types: readonly string[] | undefined }
  | { readonly kind: 'sign'; readonly cursor: string | undefined }
  /** The API cannot read the log in time, and says when it can again. */
  | { readonly kind: 'late'; readonly isLate: boolean }
  /** The stream begins behind this cursor, or begins anew there after a gap. */
  | { readonly kind: 'begin'; readonly cursor: string | undefined };

function messageIn({ event, id, data }: Frame): StreamMessage {
  if (event === 'status') return { kind: 'late', isLate: (JSON.parse(data) as { late_ms: number }).late_ms > 0 };
  if (event === 'skipped') {
    const { types } = JSON.parse(data) as { types: string[] | null };
    return { kind: 'missed', types: types ?? undefined };
  }
  // All types of events are of a family, like `bet.settled`; the other frames are about the stream.
  if (!event.includes('.')) return { kind: 'sign', cursor: id || undefined };
  return { kind: 'event', event: JSON.parse(data) as LedgerEvent };
}

export interface FollowedEvents {
  /** For admins, of another account. */
  readonly account?: number | undefined;
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
  tell(message: StreamMessage): void;
}

/** Follows the events of an account until the signal aborts. */
export function followEvents({ account, after, signal, tell }: FollowedEvents): Promise<void> {
  const query = new URLSearchParams({ after: 'now', conflate_ms: String(CONFLATE_MS) });
  if (account !== undefined) query.set('account_id', String(account));
  let isBeginning = false;
  return follow({
    path: `/events/stream?${query}`,
    after,
    signal,
    onOpen(resumed) {
      isBeginning = !resumed;
      // Each connection says anew that it is late.
      if (resumed) tell({ kind: 'late', isLate: false });
    },
    onFrame(frame) {
      // The first frame says where the stream begins.
      if (isBeginning) tell({ kind: 'begin', cursor: frame.id });
      isBeginning = false;
      tell(messageIn(frame));
    },
  });
}
