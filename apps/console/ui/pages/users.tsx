import { useSignal } from '@preact/signals';
import { api, type Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { DataTable } from '../parts/data-table.js';
import { Dialog } from '../parts/dialog.js';
import { exactly } from '../parts/exactly.js';
import { Filters, moveTo } from '../parts/filters.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Pager } from '../parts/pager.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { LIST_PAUSE_MS } from './ledger/following.js';
import { NewUser, pathOfUser } from './user/new-user.js';

type User = Schemas['User'];

const PATH = '/users';
const ORDERS = {
  '': { text: 'Newest first', sort_by: 'created_at', sort_order: 'desc' },
  reference: { text: 'By reference', sort_by: 'reference', sort_order: 'asc' },
  balance: { text: 'Highest balance first', sort_by: 'balance', sort_order: 'desc' },
  exposure: { text: 'Highest exposure first', sort_by: 'exposure', sort_order: 'desc' },
} as const;
const FILTERS = [
  { name: 'search', label: 'Name or reference', type: 'search' },
  {
    name: 'order',
    label: 'Order',
    choices: Object.entries(ORDERS).map(([value, { text }]) => [value, text] as const),
  },
] as const;

const orderOf = (name = ''): (typeof ORDERS)[keyof typeof ORDERS] =>
  name in ORDERS ? ORDERS[name as keyof typeof ORDERS] : ORDERS[''];

function useUsers({ search = '', order, cursor = '' }: PageProps['query']) {
  const { sort_by, sort_order } = orderOf(order);
  const query = { sort_by, sort_order, cursor, per_page: 50, ...(search !== '' && { search }) };
  return useResource(() => api.get('/account/user', { params: { query } }), [search, order, cursor], {
    pauseMs: LIST_PAUSE_MS,
    changedBy: ({ user, transactions, bet }) => user !== undefined || transactions !== undefined || bet !== undefined,
  });
}

function UserTable({ users, search }: { readonly users: readonly User[]; readonly search: string }) {
  return (
    <DataTable
      caption="Users"
      hidesCaption
      columns={[
        {
          title: 'Reference',
          text: ({ reference }) => (
            <a href={pathOfUser(reference)}>
              <bdi>{reference}</bdi>
            </a>
          ),
        },
        { title: 'Name', text: ({ name }) => <bdi>{name}</bdi> },
        { title: 'Balance', amount: ({ balance }) => balance },
        { title: 'Exposure', amount: ({ exposure }) => exposure },
        { title: 'Available', amount: ({ balance, exposure }) => exactly(balance - exposure) },
        { title: 'Created', time: ({ created_at }) => created_at },
      ]}
      items={users}
      keyOf={({ id }) => id}
      empty={
        <p>
          No user has <bdi>“{search}”</bdi> in the name or the reference. <a href={PATH}>Show all users</a>
        </p>
      }
    />
  );
}

function FirstUser() {
  return (
    <div class="panel">
      <h2>Create the first user</h2>
      <p>A user is one of your bettors. Once it has money, it can make and accept offers.</p>
      <NewUser />
    </div>
  );
}

function UsersPage({ query }: PageProps) {
  const users = useUsers(query);
  const isCreating = useSignal(false);
  const { search = '', cursor = '' } = query;
  const isFirst = users.body?.data.items.length === 0 && search === '' && cursor === '';
  return (
    <>
      <Heading text="Users">
        {!isFirst && (
          <button
            type="button"
            onClick={() => {
              isCreating.value = true;
            }}
          >
            New user
          </button>
        )}
      </Heading>
      {isCreating.value && (
        <Dialog
          title="New user"
          onClose={() => {
            isCreating.value = false;
          }}
        >
          <NewUser />
        </Dialog>
      )}
      {!isFirst && <Filters path={PATH} query={query} filters={FILTERS} />}
      {!isFirst && <AsOf of={users} />}
      <Loaded of={users}>
        {({ data: { items, next, previous } }) =>
          isFirst ? (
            <FirstUser />
          ) : (
            <>
              <UserTable users={items} search={search} />
              <Pager page={{ next, previous }} onMove={moveTo(PATH, query)} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

export const users: Page = { path: PATH, title: 'Users', navigation: 'ledger', view: UsersPage };
