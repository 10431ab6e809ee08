import type { LedgerEvent } from '../../live/shared-events.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/time.js';
import { EventText } from '../events/event-text.js';
import { useLiveEvents } from '../events/live-events.js';

const SHOWN = 10;
const COLUMNS: readonly Column<LedgerEvent>[] = [
  { title: 'Time', text: ({ at }) => <Time at={at} short /> },
  { title: 'Type', text: ({ type }) => <code>{type}</code> },
  { title: 'About', text: (event) => <EventText event={event} /> },
];

/** What happened last, live. */
export function NewestEvents() {
  const { resource, events } = useLiveEvents({ filter: {}, upTo: undefined, count: SHOWN });
  return (
    <Section title="Newest events" actions={<a href="/events">All events</a>}>
      <Loaded of={resource}>
        {() => (
          <DataTable
            caption="Newest events"
            hidesCaption
            columns={COLUMNS}
            items={events}
            keyOf={({ seq }) => seq}
            empty={<p>Nothing has happened yet.</p>}
          />
        )}
      </Loaded>
    </Section>
  );
}
