import type { Schemas } from '../../api/api.js';
import { api } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { DataTable } from '../../parts/data-table.js';
import { addressWith, Filters, type Query } from '../../parts/filters.js';
import { Loaded } from '../../parts/loaded.js';
import { Pager } from '../../parts/pager.js';
import { Section } from '../../parts/section.js';
import { route } from '../../shell/router.js';

type AccountEvent = Schemas['AccountEvent'];
type EventType = AccountEvent['type'];

const TYPES: Record<EventType, string> = {
  registered: 'Registered',
  'email-verified': 'E-mail link opened',
  'email-proved': 'E-mail confirmed',
  login: 'Login',
  'login-refused': 'Failed login',
  'session-ended': 'Session ended',
  'access-ended': 'All access ended',
  'password-changed': 'Password changed',
  'password-recovered': 'Password recovered',
  'password-refused': 'Wrong password',
  'api-key-created': 'API key created',
  'api-key-revoked': 'API key revoked',
  'webhook-created': 'Webhook created',
  'webhook-changed': 'Webhook changed',
  'webhook-deleted': 'Webhook deleted',
  'name-changed': 'Name changed',
  'preferences-changed': 'Preferences changed',
  'role-changed': 'Role changed',
  'status-changed': 'Status changed',
  'admin-read': 'Read by an admin',
  'quota-refused': 'Quota exceeded',
  'export-requested': 'Export requested',
  'export-downloaded': 'Export downloaded',
  'queue-action': 'Queue action',
};
const REFUSALS: ReadonlySet<EventType> = new Set(['login-refused', 'password-refused', 'quota-refused']);
const FILTERS = [{ name: 'type', label: 'Type', choices: [['', 'All types'], ...Object.entries(TYPES)] }] as const;

const ACTORS: Record<AccountEvent['actor']['type'], string> = {
  account: 'the account',
  key: 'API key',
  admin: 'admin',
  command: 'command',
  unknown: 'unknown',
};

type Fields = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What changed: each field before and after. */
function Changes({ event: { before, after } }: { readonly event: AccountEvent }) {
  const old: Fields = before ?? {};
  const young: Fields = after ?? {};
  const fields = [...new Set([...Object.keys(old), ...Object.keys(young)])].filter(
    (field) => (old[field] ?? young[field]) != null,
  );
  return (
    <>
      {fields.map((field) => (
        <div key={field}>
          {field.replaceAll('_', ' ')}: {old[field] != null && <bdi>{textOf(old[field])}</bdi>}
          {old[field] != null && young[field] != null && ' → '}
          {young[field] != null && <bdi>{textOf(young[field])}</bdi>}
        </div>
      ))}
    </>
  );
}

function EventTable({ events }: { readonly events: readonly AccountEvent[] }) {
  return (
    <DataTable
      caption="Account events, newest first"
      hidesCaption
      namesRows={false}
      columns={[
        { title: 'Time', time: ({ created_at }) => created_at },
        {
          title: 'Event',
          text: ({ type }) => <span class={REFUSALS.has(type) ? 'tag warn' : ''}>{TYPES[type] ?? type}</span>,
        },
        { title: 'Change', text: (event) => <Changes event={event} /> },
        {
          title: 'By',
          text: ({ actor: { type, name } }) => (
            <>
              {ACTORS[type]} {type !== 'account' && <bdi>{name}</bdi>}
            </>
          ),
        },
        { title: 'Address', text: ({ address }) => <code>{address}</code> },
      ]}
      items={events}
      keyOf={({ id }) => id}
      empty={<p>No events of this type.</p>}
    />
  );
}

export interface AccountEventListProps {
  /** The page that shows it. */
  readonly path: string;
  readonly query: Query;
  /** For admins: another account. */
  readonly accountId?: number;
}

/** Who did what to an account or its credentials. */
export function AccountEventList({ path, query, accountId }: AccountEventListProps) {
  const { type, cursor = '' } = query;
  const events = useResource(
    () =>
      api.get('/account-events', {
        params: {
          query: {
            cursor,
            per_page: 50,
            sort_direction: 'desc',
            ...(type && { type: [type as EventType] }),
            ...(accountId !== undefined && { account_ids: [accountId] }),
          },
        },
      }),
    [type, cursor, accountId],
  );
  return (
    <Section title="Account events" of={events}>
      <Filters path={path} query={query} filters={FILTERS} />
      <Loaded of={events}>
        {({ data, next, previous }) => (
          <>
            <EventTable events={data} />
            <Pager page={{ next, previous }} onMove={(to) => route(addressWith(path, { ...query, cursor: to }))} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
