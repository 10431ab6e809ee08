import type { Schemas } from '../../api/api.js';
import type { LedgerEvent } from '../../live/shared-events.js';
import { formatCount } from '../../parts/amount.js';
import { DataTable } from '../../parts/data-table.js';
import { PersonLink } from '../people/person-link.js';
import { EventText } from './event-text.js';

const ACTORS: Record<Schemas['EventActor']['kind'], string> = {
  account: 'this account',
  key: 'API key',
  admin: 'admin',
  command: 'command',
  worker: 'worker',
  unknown: 'unknown',
};

/** Who caused an event. */
export function Actor({ actor: { kind, name, operator_id } }: { readonly actor: Schemas['EventActor'] }) {
  if (kind === 'account' && operator_id !== null && name !== null) return PersonLink({ id: operator_id, name });
  if (kind === 'account' || name === null) return ACTORS[kind];
  return (
    <>
      {ACTORS[kind]} <bdi>{name}</bdi>
    </>
  );
}

export function EventTable({ events, empty }: { readonly events: readonly LedgerEvent[]; readonly empty: string }) {
  return (
    <DataTable
      caption="Events, newest first"
      columns={[
        { title: 'Number', text: ({ seq }) => <a href={`/events/${seq}`}>{formatCount(seq)}</a> },
        { title: 'Type', text: ({ type }) => <code>{type}</code> },
        { title: 'About', text: (event) => EventText({ event }) },
        { title: 'Time', time: ({ at }) => at },
        { title: 'By', text: ({ actor }) => Actor({ actor }) },
      ]}
      items={events}
      keyOf={({ seq }) => seq}
      empty={<p>{empty}</p>}
    />
  );
}
