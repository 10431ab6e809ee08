import { api, type Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { DataTable } from '../parts/data-table.js';
import { Filters, moveTo } from '../parts/filters.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Pager } from '../parts/pager.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';

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

function TenantTable({ accounts }: { readonly accounts: readonly Account[] }) {
  return (
    <DataTable
      caption="Tenants"
      hidesCaption
      columns={[
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
        { title: 'Verified', text: ({ email_verified_at: at }) => (at === null ? 'no' : <Time at={at} />) },
        { title: 'Created', time: ({ created_at }) => created_at },
      ]}
      items={accounts}
      keyOf={({ id }) => id}
      empty={
        <p>
          No accounts match. <a href={PATH}>Show all accounts</a>
        </p>
      }
    />
  );
}

function TenantsPage({ query }: PageProps) {
  const { search = '', verified = '', cursor = '' } = query;
  const accounts = useResource(
    () =>
      api.get('/admin/accounts', {
        params: {
          query: {
            cursor,
            per_page: 50,
            sort_by: 'created_at',
            sort_direction: 'desc',
            ...(search !== '' && { search }),
            ...(verified !== '' && { email_verified: verified === 'true' }),
          },
        },
      }),
    [search, verified, cursor],
  );
  return (
    <>
      <Heading text="Tenants" />
      <Filters path={PATH} query={query} filters={FILTERS} />
      <AsOf of={accounts} />
      <Loaded of={accounts}>
        {({ data, next, previous }) => (
          <>
            <TenantTable accounts={data} />
            <Pager page={{ next, previous }} onMove={moveTo(PATH, query)} />
          </>
        )}
      </Loaded>
    </>
  );
}

export const tenants: Page = {
  path: PATH,
  title: 'Tenants',
  navigation: 'admin',
  isForAdmins: true,
  view: TenantsPage,
};
