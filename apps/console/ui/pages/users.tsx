import type { Reads, Schemas } from '../api/api.js';
import { NOT_FOUND, orNothing } from '../api/errors.js';
import { useResource } from '../api/resource.js';
import { viewedAccount } from '../api/viewed-account.js';
import { Actions } from '../parts/actions.js';
import { exactly } from '../parts/amount.js';
import type { Column } from '../parts/data-table.js';
import { Dialog } from '../parts/dialog.js';
import { Loaded } from '../parts/loaded.js';
import { FilteredTable } from '../parts/paged-table.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { LIST_PAUSE_MS } from './ledger/following.js';
import { NewUser, pathOfUser } from './user/new-user.js';

type User = Schemas['User'];

const PATH = '/users';
const PER_PAGE = 50;
const ORDERS = {
  '': { text: 'Newest first', sort_by: 'created_at', sort_direction: 'desc' },
  reference: { text: 'By reference', sort_by: 'reference', sort_direction: 'asc' },
  balance: { text: 'Highest balance first', sort_by: 'balance', sort_direction: 'desc' },
  exposure: { text: 'Highest exposure first', sort_by: 'exposure', sort_direction: 'desc' },
} as const;
const FILTERS = [
  { name: 'search', label: 'Name or reference, id, transaction', type: 'search' },
  {
    name: 'order',
    label: 'Order',
    choices: Object.entries(ORDERS).map(([value, { text }]) => [value, text] as const),
  },
] as const;

const orderOf = (name = ''): (typeof ORDERS)[keyof typeof ORDERS] =>
  name in ORDERS ? ORDERS[name as keyof typeof ORDERS] : ORDERS[''];

const ID = /^[1-9]\d{0,14}$/;

/** Whose transaction has this reference, or this own reference; undefined: nobody's. */
async function userOfTransaction({ get }: Reads, reference: string): Promise<number | undefined> {
  const params = { path: { reference } };
  return (await orNothing(get('/transactions/{reference}/reference', { params }), NOT_FOUND))?.data.user_id;
}

/** By a part of the name or the reference, and by the whole of an id or, where that finds nobody, of a transaction. */
async function loadUsers(reads: Reads, { search = '', order, cursor = '' }: PageProps['query'], perPage = PER_PAGE) {
  const { sort_by, sort_direction } = orderOf(order);
  const list = async (more: { search?: string; user_id?: number[] }) => {
    const query = { sort_by, sort_direction, cursor, per_page: perPage, ...more };
    const { items, next, previous } = (await reads.get('/account/user', { params: { query } })).data;
    return { data: items, next, previous };
  };
  const found = await list(search === '' ? {} : { search });
  if (search === '' || cursor !== '') return found;
  const byId = ID.test(search) ? (await list({ user_id: [Number(search)] })).data : [];
  const data = [...byId, ...found.data.filter(({ id }) => id !== byId[0]?.id)];
  const id = data.length === 0 ? await userOfTransaction(reads, search) : undefined;
  return id === undefined ? { ...found, data } : list({ user_id: [id] });
}

function useUsers(query: PageProps['query']) {
  const { search, order, cursor } = query;
  return useResource((reads) => loadUsers(reads, query), [search, order, cursor], {
    pauseMs: LIST_PAUSE_MS,
    changedBy: ({ user, transactions, bet }) => user !== undefined || transactions !== undefined || bet !== undefined,
  });
}

const COLUMNS: readonly Column<User>[] = [
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
];

function FirstUser() {
  return (
    <div class="panel">
      <h2>Create the first user</h2>
      <p>A user is one of your bettors. Once it has money, it can make and accept offers.</p>
      <NewUser />
    </div>
  );
}

function NewUserDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="New user" onClose={onClose}>
      <NewUser />
    </Dialog>
  );
}

function UsersPage({ query }: PageProps) {
  const users = useUsers(query);
  const { search = '', cursor = '' } = query;
  const isFirst = users.body?.data.length === 0 && search === '' && cursor === '' && viewedAccount.value === undefined;
  const create = {
    text: 'New user',
    least: 'trader' as const,
    isHidden: isFirst,
    dialog: (close: () => void) => <NewUserDialog onClose={close} />,
  };
  return (
    <>
      <Heading text="Users">
        <Actions of={{ create }} />
      </Heading>
      {isFirst ? (
        <Loaded of={users}>{() => <FirstUser />}</Loaded>
      ) : (
        <FilteredTable
          path={PATH}
          query={query}
          filters={FILTERS}
          of={users}
          csv={{ name: 'users', load: (reads, cursor, perPage) => loadUsers(reads, { ...query, cursor }, perPage) }}
          caption="Users"
          hidesCaption
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={
            <p>
              {search === '' ? (
                'There are no users yet.'
              ) : (
                <>
                  No user has <bdi>“{search}”</bdi> in the name or the reference, and no user or transaction is called
                  so. <a href={PATH}>Show all users</a>
                </>
              )}
            </p>
          }
        />
      )}
    </>
  );
}

export const users: Page = { path: PATH, title: 'Users', navigation: 'ledger', view: UsersPage };
