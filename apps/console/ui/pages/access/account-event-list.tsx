import type { Reads, Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import type { Column } from '../../parts/data-table.js';
import type { Query } from '../../parts/filters.js';
import { FilteredTable } from '../../parts/paged-table.js';
import { Section } from '../../parts/section.js';
import { PersonLink } from '../people/person-link.js';

type AccountEvent = Schemas['AccountEvent'];
type AccountEventType = AccountEvent['type'];

const TYPES: Record<AccountEventType, string> = {
  registered: 'Registered',
  'email-verified': 'E-mail link opened',
  'email-proved': 'E-mail confirmed',
  login: 'Login',
  'login-refused': 'Failed login',
  'session-ended': 'Session ended',
  'access-ended': 'All access ended',
  'password-changed': 'Password changed',
  'password-recovered': 'Password recovered',
  'password-refused': 'Wrong password or code',
  'second-factor-added': 'Second factor added',
  'second-factor-removed': 'Second factor removed',
  'recovery-code-used': 'Recovery code used',
  'api-key-created': 'API key created',
  'api-key-revoked': 'API key revoked',
  'webhook-created': 'Webhook created',
  'webhook-changed': 'Webhook changed',
  'webhook-deleted': 'Webhook deleted',
  'sandbox-created': 'Sandbox created',
  'sandbox-deleted': 'Sandbox deleted',
  'operator-invited': 'Person invited',
  'operator-joined': 'Invitation accepted',
  'operator-changed': 'Person changed',
  'operator-deleted': 'Person deleted',
  'name-changed': 'Name changed',
  'preferences-changed': 'Preferences changed',
  'currency-changed': 'Currency changed',
  'decimals-changed': 'Decimals changed',
  'role-changed': 'Role changed',
  'status-changed': 'Status changed',
  'admin-read': 'Read by an admin',
  'quota-refused': 'Quota exceeded',
  'export-requested': 'Export requested',
  'export-downloaded': 'Export downloaded',
  'queue-action': 'Queue action',
};
const REFUSALS: ReadonlySet<AccountEventType> = new Set(['login-refused', 'password-refused', 'quota-refused']);
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
function Changes({ of: { before, after } }: { readonly of: AccountEvent }) {
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

const COLUMNS: readonly Column<AccountEvent>[] = [
  { title: 'Time', time: ({ created_at }) => created_at },
  {
    title: 'Event',
    text: ({ type }) => <span class={REFUSALS.has(type) ? 'tag warn' : ''}>{TYPES[type] ?? type}</span>,
  },
  { title: 'Change', text: (accountEvent) => <Changes of={accountEvent} /> },
  {
    title: 'By',
    text: ({ actor: { type, name, operator_id } }) =>
      type === 'account' && operator_id !== null ? (
        PersonLink({ id: operator_id, name: name ?? '' })
      ) : (
        <>
          {ACTORS[type]} {type !== 'account' && <bdi>{name}</bdi>}
        </>
      ),
  },
  { title: 'Address', text: ({ address }) => <code>{address}</code> },
];

export interface AccountEventListProps {
  /** The page that shows it. */
  readonly path: string;
  readonly query: Query;
  /** For admins: another account. */
  readonly accountId?: number;
  /** Only what this person did. */
  readonly operatorId?: number;
}

/** Who did what to an account or its credentials. */
export function AccountEventList({ path, query, accountId, operatorId }: AccountEventListProps) {
  const { type, cursor = '' } = query;
  const load = ({ get }: Reads, at: string, perPage = 50) =>
    get('/account-events', {
      params: {
        query: {
          cursor: at,
          per_page: perPage,
          sort_direction: 'desc',
          ...(type && { type: [type as AccountEventType] }),
          ...(accountId !== undefined && { account_ids: [accountId] }),
          ...(operatorId !== undefined && { operator_id: operatorId }),
        },
      },
    });
  const accountEvents = useResource((reads) => load(reads, cursor), [type, cursor, accountId, operatorId]);
  return (
    <Section title={operatorId === undefined ? 'Account events' : 'What it did'}>
      <FilteredTable
        path={path}
        query={query}
        filters={FILTERS}
        of={accountEvents}
        csv={{ name: 'account-events', load }}
        caption="Account events, newest first"
        hidesCaption
        namesRows={false}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<p>No events.</p>}
      />
    </Section>
  );
}
