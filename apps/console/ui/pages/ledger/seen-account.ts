import { useEffect, useRef } from 'preact/hooks';
import type { Resource } from '../../api/resource.js';
import { isAdmin } from '../../api/session.js';
import { follow } from '../../live/follow.js';
import { type LedgerEvent, onStream } from '../../live/shared-events.js';

// Admins look into other accounts by `?account=7` in the address.

/** The other account that the address names, for admins; undefined: the account's own ledger. */
export function seenAccount(query: Readonly<Record<string, string>>): number | undefined {
  const id = Number(query.account);
  return isAdmin() && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** Lists of a busy ledger are loaded no more often. */
export const LIST_PAUSE_MS = 2_000;

export interface EventListener {
  event(event: LedgerEvent): void;
  /** What happened before is only in what is loaded from now on. */
  begin(): void;
}

/** Another account's events come by a stream of this page's own. */
function followAccount(account: number, listener: EventListener): () => void {
  const stop = new AbortController();
  follow({
    path: `/events/stream?account_id=${account}`,
    signal: stop.signal,
    onOpen: (resumed) => resumed || listener.begin(),
    // All types of events are of a family, like `bet.settled`; the other frames are about the stream.
    onFrame: ({ event, data }) => event.includes('.') && listener.event(JSON.parse(data) as LedgerEvent),
  }).catch((error: unknown) => {
    if (!stop.signal.aborted) reportError(error);
  });
  return () => stop.abort();
}

/** Calls the listener for each event of the account that is looked into. */
export function useEvents(account: number | undefined, listener: EventListener): void {
  const ref = useRef(listener);
  ref.current = listener;
  useEffect(() => {
    const latest: EventListener = {
      event: (event) => ref.current.event(event),
      begin: () => ref.current.begin(),
    };
    return account === undefined ? onStream(latest) : followAccount(account, latest);
  }, [account]);
}

export interface Reloads {
  readonly account?: number | undefined;
  readonly changes: (event: LedgerEvent) => boolean;
  /** At most one load in this time, for all its events. */
  readonly pauseMs?: number;
}

/** Loads resources again when an event changes them. */
export function useReloads(
  { account, changes, pauseMs = 0 }: Reloads,
  ...resources: readonly Pick<Resource<object>, 'reload'>[]
): void {
  const timerRef = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const loadedAtRef = useRef(0);
  useEffect(() => () => clearTimeout(timerRef.current), []);
  const reload = () => {
    timerRef.current = undefined;
    loadedAtRef.current = Date.now();
    for (const resource of resources) resource.reload();
  };
  const event = (happened: LedgerEvent) => {
    if (!changes(happened)) return;
    timerRef.current ??= setTimeout(reload, Math.max(0, loadedAtRef.current + pauseMs - Date.now()));
  };
  useEvents(account, { event, begin: reload });
}
