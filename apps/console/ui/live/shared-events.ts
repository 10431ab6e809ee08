import { session } from '../api/session.js';
import { viewedAccount } from '../api/viewed-account.js';
import { followEvents, type LedgerEvent, type StreamMessage } from './event-stream.js';
import { forgetSigns, noteSign, startClock } from './liveness.js';

// The account's events, for all tabs of the browser by one stream: browsers allow six connections to a host. The tab that
// holds a lock reads the stream and tells the others; when it closes, another one gets the lock and goes on behind the last
// event that it was told.

export type { LedgerEvent };

export interface EventListener {
  /** An event that happened after the stream began. */
  event(event: LedgerEvent): void;
  /** The stream begins behind a cursor, or begins anew after a gap: what happened before is only in what is loaded. */
  begin(cursor: string | undefined): void;
  /** Events of these types were left out, because there are too many; undefined: of any. */
  missed(types: readonly string[] | undefined): void;
}

/** A stream that the page follows. */
interface FollowedStream {
  isLate: boolean;
  readonly listeners: Set<EventListener>;
}
/** Of the account of the session. */
const own: FollowedStream = { isLate: false, listeners: new Set() };
let cursor: string | undefined;

function onStream(listener: EventListener): () => void {
  own.listeners.add(listener);
  return () => own.listeners.delete(listener);
}

function tellListener(listener: EventListener, message: StreamMessage): void {
  if (message.kind === 'event') listener.event(message.event);
  else if (message.kind === 'missed') listener.missed(message.types);
  else if (message.kind === 'begin') listener.begin(message.cursor);
}

function tellListeners(stream: FollowedStream, message: StreamMessage): void {
  if (message.kind === 'late') stream.isLate = message.isLate;
  if (message.kind === 'begin') stream.isLate = false;
  if (!stream.isLate) noteSign(stream);
  for (const listener of [...stream.listeners]) tellListener(listener, message);
}

function take(message: StreamMessage): void {
  if (message.kind === 'event') cursor = message.event.cursor;
  else if (message.kind === 'sign' || message.kind === 'begin') cursor = message.cursor ?? cursor;
  tellListeners(own, message);
}

interface AccountStream extends FollowedStream {
  readonly stop: AbortController;
}
/** Of other accounts, by their ids. */
const accountStreams = new Map<number, AccountStream>();

function openAccountStream(account: number): AccountStream {
  const stream: AccountStream = { isLate: false, listeners: new Set(), stop: new AbortController() };
  const { signal } = stream.stop;
  noteSign(stream);
  followEvents({ account, signal, tell: (message) => tellListeners(stream, message) }).catch((error: unknown) => {
    if (!signal.aborted) reportError(error);
  });
  return stream;
}

/** Another account's events come by a stream of this page's own, from its first listener to its last. */
function followAccount(account: number, listener: EventListener): () => void {
  const stream = accountStreams.get(account) ?? openAccountStream(account);
  accountStreams.set(account, stream);
  stream.listeners.add(listener);
  return () => {
    stream.listeners.delete(listener);
    if (stream.listeners.size > 0) return;
    stream.stop.abort();
    forgetSigns(stream);
    accountStreams.delete(account);
  };
}

/** Listens to the events of the account that the page looks into, until the returned function is called. */
export function listen(listener: EventListener): () => void {
  const account = viewedAccount.peek();
  return account === undefined ? onStream(listener) : followAccount(account, listener);
}

/** Follows the events of the account until the returned function is called. */
function startStream(accountId: number): () => void {
  const name = `ledger-events-${accountId}`;
  const stop = new AbortController();
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<StreamMessage>) => take(data));
  const tell = (message: StreamMessage) => {
    take(message);
    channel.postMessage(message);
  };
  const lead = (to: (message: StreamMessage) => void) => followEvents({ after: cursor, signal: stop.signal, tell: to });
  // Locks need TLS or localhost. Without them each tab has its own stream, and tells no other.
  const running =
    navigator.locks === undefined
      ? lead(take)
      : navigator.locks.request(name, { signal: stop.signal }, () => lead(tell));
  running.catch((error: unknown) => {
    if (!stop.signal.aborted) reportError(error);
  });
  noteSign(own);
  const stopClock = startClock();
  return () => {
    stop.abort();
    stopClock();
    forgetSigns(own);
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
