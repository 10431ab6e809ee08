import type { Reads, Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import type { Column } from '../parts/data-table.js';
import { FilteredTable } from '../parts/paged-table.js';
import { timeOr } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { PageProps } from '../shell/page.js';

type Account = Schemas['Account'];

const PATH = '/tenants';
const FILTERS = [
  { name: 'search', label: 'Name or e-mail', type: 'search' },
  {
    name: 'verified',
    label: 'E-mail address',
    choices: [
      ['', 'All accounts'],
      ['true', 'Verified'],
      ['false', 'Not verified'],
    ],
  },
] as const;

export function Status({ status }: { readonly status: Account['status'] }) {
  return <span class={`tag ${status === 'active' ? 'good' : 'bad'}`}>{status}</span>;
}

const COLUMNS: readonly Column<Account>[] = [
  {
    title: 'Name',
    text: ({ id, name }) => (
      <a href={`${PATH}/${id}`}>
        <bdi>{name}</bdi>
      </a>
    ),
  },
  { title: 'Id', text: ({ id }) => id },
  { title: 'E-mail', text: ({ email }) => <bdi>{email}</bdi> },
  { title: 'Role', text: ({ role }) => (role === 'admin' ? <span class="tag warn">admin</span> : role) },
  { title: 'Status', text: ({ status }) => <Status status={status} /> },
  { title: 'Verified', text: ({ email_verified_at }) => timeOr('no', email_verified_at) },
  { title: 'Created', time: ({ created_at }) => created_at },
  {
    title: 'Its ledger',
    text: ({ id }) => (
      <span class="links">
        <a href={`/wagers?account=${id}`}>Wagers</a>
        <a href={`/bets?account=${id}`}>Bets</a>
        <a href={`/users?account=${id}`}>Users</a>
      </span>
    ),
  },
];

export function TenantsPage({ query }: PageProps) {
  const { search = '', verified = '', cursor = '' } = query;
  const load = ({ get }: Reads, at: string, perPage = 50) =>
    get('/admin/accounts', {
      params: {
        query: {
          cursor: at,
          per_page: perPage,
          sort_by: 'created_at',
          sort_direction: 'desc',
          ...(search !== '' && { search }),
          ...(verified !== '' && { email_verified: verified === 'true' }),
        },
      },
    });
  const accounts = useResource((reads) => load(reads, cursor), [search, verified, cursor]);
  return (
    <>
      <Heading text="Tenants" />
      <FilteredTable
        path={PATH}
        query={query}
        filters={FILTERS}
        of={accounts}
        csv={{ name: 'tenants', load }}
        caption="Tenants"
        hidesCaption
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <p>
            No accounts match. <a href={PATH}>Show all accounts</a>
          </p>
        }
      />
    </>
  );
}
