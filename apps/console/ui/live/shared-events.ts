import type { Schemas } from '../api/api.js';
import { session } from '../api/session.js';
import type { Frame } from './event-reader.js';
import { follow } from './follow.js';
import { noteSign, startClock } from './liveness.js';

// The account's events, for all tabs of the browser by one stream: browsers allow six connections to a host. The tab that
// holds a lock reads the stream and tells the others; when it closes, another one gets the lock and goes on behind the last
// event that it was told.

export type LedgerEvent = Schemas['Event'];

interface Listener {
  /** An event that happened after the stream began. */
  event(event: LedgerEvent): void;
  /** The stream begins, or begins anew after a gap: what happened before is only in what is loaded from now on. */
  begin(): void;
}

type Message =
  | { readonly kind: 'event'; readonly event: LedgerEvent }
  | { readonly kind: 'sign'; readonly cursor: string | undefined }
  /** The API cannot read the log in time, and says when it can again. */
  | { readonly kind: 'late'; readonly isLate: boolean }
  | { readonly kind: 'begin' };

const PATH = '/events/stream';

const listeners = new Set<Listener>();
let cursor: string | undefined;
let isLate = false;

export function onStream(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function take(message: Message): void {
  if (message.kind === 'late') isLate = message.isLate;
  if (message.kind === 'begin') isLate = false;
  if (!isLate) noteSign();
  if (message.kind === 'sign') {
    cursor = message.cursor ?? cursor;
  } else if (message.kind === 'event') {
    cursor = message.event.cursor;
    for (const listener of [...listeners]) listener.event(message.event);
  } else if (message.kind === 'begin') {
    for (const listener of [...listeners]) listener.begin();
  }
}

function messageIn({ event, id, data }: Frame): Message {
  if (event === 'status') return { kind: 'late', isLate: (JSON.parse(data) as { late_ms: number }).late_ms > 0 };
  // All types of events are of a family, like `bet.settled`; the other frames are about the stream.
  if (!event.includes('.')) return { kind: 'sign', cursor: id || undefined };
  return { kind: 'event', event: JSON.parse(data) as LedgerEvent };
}

/** Reads the stream for all tabs until the signal aborts. */
async function lead(tell: (message: Message) => void, signal: AbortSignal): Promise<void> {
  await follow({
    path: PATH,
    after: cursor,
    signal,
    onOpen: (resumed) => tell(resumed ? { kind: 'sign', cursor: undefined } : { kind: 'begin' }),
    onFrame: (frame) => tell(messageIn(frame)),
  });
}

/** Follows the events of the account until the returned function is called. */
export function startStream(accountId: number): () => void {
  const name = `ledger-events-${accountId}`;
  const stop = new AbortController();
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => take(data));
  const tell = (message: Message) => {
    take(message);
    channel.postMessage(message);
  };
  const run = () => lead(tell, stop.signal);
  // Locks need TLS or localhost. Without them each tab has its own stream, and tells no other.
  const running =
    navigator.locks === undefined
      ? lead(take, stop.signal)
      : navigator.locks.request(name, { signal: stop.signal }, run);
  running.catch((error: unknown) => {
    if (!stop.signal.aborted) reportError(error);
  });
  const stopClock = startClock();
  return () => {
    stop.abort();
    stopClock();
    channel.close();
    cursor = undefined;
  };
}

/** Starts and ends the stream with the account of the session. */
export function followSession(): () => void {
  let accountId: number | undefined;
  let stop: (() => void) | undefined;
  const leave = session.subscribe((current) => {
    if (current?.account.id === accountId) return;
    stop?.();
    accountId = current?.account.id;
    stop = accountId === undefined ? undefined : startStream(accountId);
  });
  return () => {
    leave();
    stop?.();
  };
}
