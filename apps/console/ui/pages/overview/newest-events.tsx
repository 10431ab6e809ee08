import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useResource } from '../../api/resource.js';
import { readNewestEvents } from '../../live/newest-events.js';
import { type LedgerEvent, useEvents } from '../../live/shared-events.js';
import { DataTable } from '../../parts/data-table.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/time.js';
import { EventText } from '../events/event-text.js';

const SHOWN = 10;
/** Nobody reads more than four states a second. */
const PAUSE_MS = 250;

/** The newest first, each once. */
function joined(one: readonly LedgerEvent[], other: readonly LedgerEvent[]): readonly LedgerEvent[] {
  const bySeq = new Map([...one, ...other].map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq).slice(0, SHOWN);
}

/** What happened last, live. */
export function NewestEvents() {
  // The newest events come along. Only after a gap they have to be read.
  const read = useResource((signal) => readNewestEvents({ count: SHOWN, signal }), [], {
    types: [],
    changedBy: () => false,
  });
  const live = useSignal<readonly LedgerEvent[]>([]);
  const waitingRef = useRef<LedgerEvent[]>([]);
  const timerRef = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timerRef.current), []);
  const show = () => {
    timerRef.current = undefined;
    live.value = joined(live.peek(), waitingRef.current);
    waitingRef.current = [];
  };
  useEvents(undefined, {
    event: (event) => {
      waitingRef.current = [...waitingRef.current.slice(1 - SHOWN), event];
      timerRef.current ??= setTimeout(show, PAUSE_MS);
    },
    begin: () => undefined,
    missed: () => undefined,
  });
  return (
    <Section title="Newest events" actions={<a href="/events">All events</a>}>
      <Loaded of={read}>
        {({ events }) => (
          <DataTable
            caption="Newest events"
            hidesCaption
            columns={[
              { title: 'Time', text: ({ at }) => <Time at={at} short /> },
              { title: 'Type', text: ({ type }) => <code>{type}</code> },
              { title: 'About', text: (event) => <EventText event={event} /> },
            ]}
            items={joined(events, live.value)}
            keyOf={({ seq }) => seq}
            empty={<p>Nothing has happened yet.</p>}
          />
        )}
      </Loaded>
    </Section>
  );
}
