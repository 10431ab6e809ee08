import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Resource, useResource } from '../../api/resource.js';
import { concernsUser, isOfTypes } from '../../live/concerns.js';
import { type EventFilter, type NewestEvents, readNewestEvents } from '../../live/newest-events.js';
import { type LedgerEvent, listen } from '../../live/shared-events.js';

const MOST_SHOWN = 100;
/** New events come onto the page together: a busy ledger has thousands a second. */
const TOGETHER_MS = 250;
/** With a filter by type, a load looks through thousands of events. */
const PAUSE_MS = 5_000;

/** The filters of the API, for events of the stream. */
function matches(event: LedgerEvent, { types, wager_reference, user_id, bet_id }: EventFilter): boolean {
  return (
    (types === undefined || isOfTypes(event.type, types.split(','))) &&
    (wager_reference === undefined || event.wager?.reference === wager_reference) &&
    (user_id === undefined || concernsUser(event, user_id)) &&
    (bet_id === undefined || event.bet?.id === bet_id)
  );
}

/** The types of which no event may be left out. */
const wantedTypes = (filter: EventFilter): readonly string[] =>
  Object.keys(filter).length === 0 ? [] : (filter.types?.split(',') ?? ['*']);

export interface EventsWanted {
  readonly filter: EventFilter;
  /** Up to this number; without it, the newest, followed live. */
  readonly upTo: number | undefined;
  readonly isPaused?: boolean;
  /** So many are shown. */
  readonly count?: number;
}

export interface LiveEvents {
  readonly resource: Resource<NewestEvents>;
  /** Those that were loaded, and those that have come since, the newest first. */
  readonly events: readonly LedgerEvent[];
  /** How many wait while the list is paused. */
  readonly waiting: number;
}

/** Events as they come, in front of those that are loaded. */
export function useLiveEvents({ filter, upTo, isPaused = false, count = MOST_SHOWN }: EventsWanted): LiveEvents {
  const list = JSON.stringify([filter, upTo]);
  const resource = useResource((reads) => readNewestEvents(reads, { ...filter, count, upTo }), [list], {
    // The newest events come along, but of a busy account not all that a filter wants.
    types: upTo === undefined ? wantedTypes(filter) : [],
    changedBy: () => false,
    pauseMs: PAUSE_MS,
  });
  const come = useSignal<readonly LedgerEvent[]>([]);
  const waitingCount = useSignal(0);
  const wantedRef = useRef({ filter, isPaused });
  wantedRef.current = { filter, isPaused };
  useLayoutEffect(() => {
    come.value = [];
    waitingCount.value = 0;
  }, [list]);
  useEffect(() => {
    if (upTo !== undefined) return undefined;
    let waiting: LedgerEvent[] = [];
    const timer = setInterval(() => {
      waitingCount.value = wantedRef.current.isPaused ? waiting.length : 0;
      if (waiting.length === 0 || wantedRef.current.isPaused) return;
      come.value = [...waiting.reverse(), ...come.value].slice(0, count);
      waiting = [];
    }, TOGETHER_MS);
    const leave = listen({
      event(event) {
        if (matches(event, wantedRef.current.filter)) waiting = [...waiting, event].slice(-count);
      },
      // A gap: the resource loads again by itself.
      begin() {
        waiting = [];
      },
      missed: () => undefined,
    });
    return () => {
      clearInterval(timer);
      leave();
    };
  }, [list]);
  const loaded = resource.body?.events ?? [];
  const newer = come.value.filter(({ seq }) => seq > (resource.body?.last ?? 0));
  const current = { list, isLoaded: resource.body !== undefined, events: [...newer, ...loaded].slice(0, count) };
  // A paused list stays as it is, also when the resource loads again.
  const shownRef = useRef(current);
  const isHeld = isPaused && shownRef.current.list === list && shownRef.current.isLoaded;
  if (!isHeld) shownRef.current = current;
  return { resource, events: shownRef.current.events, waiting: waitingCount.value };
}
