import type { Reads } from '../api/api.js';
import { DataTable, type Sort } from '../parts/data-table.js';
import { DownloadCsv } from '../parts/download-csv.js';
import { addressWith, type Filter, Filters, type Query } from '../parts/filters.js';
import { SavedViews } from '../parts/later-saved-views.js';
import { Loaded } from '../parts/loaded.js';
import { Section } from '../parts/section.js';
import { Heading } from '../shell/heading.js';
import type { PageProps } from '../shell/page.js';
import { route } from '../shell/router.js';
import { ABOUT_BETS } from './ledger/following.js';
import { type Board, boardColumns, figured, nextOrder, type RiskyUsers, userColumns, useShared } from './risk/board.js';

const PATH = '/risk';
const SHOWN = 200;
/** As many as the API has. */
const ALL = 2_000;
const FILTERS: readonly Filter[] = [{ name: 'event', label: 'Event', type: 'search' }];

interface Shown {
  readonly query: Query;
}

function loadBoard({ get }: Reads, { query: { event, sort = 'worst_case', direction } }: Shown, limit = SHOWN) {
  const query = {
    limit,
    sort_by: sort as 'worst_case',
    sort_direction: direction === 'asc' ? ('asc' as const) : ('desc' as const),
    ...(event !== undefined && { event: [event] }),
  };
  return get('/risk/wagers', { params: { query } });
}

/** The order stands in the address. */
const orderOf = (query: Query): Sort => {
  const { sort: by = 'worst_case', direction } = query;
  const order = { by, isDescending: direction !== 'asc' };
  return {
    ...order,
    onSort(pressed) {
      const { isDescending } = nextOrder(order, pressed);
      route(addressWith(PATH, { ...query, sort: pressed, direction: isDescending ? null : 'asc' }));
    },
  };
};

function Wagers(shown: Shown) {
  const { query } = shown;
  const board = useShared<Board>((reads) => loadBoard(reads, shown), [JSON.stringify(query)], {
    types: ABOUT_BETS,
  });
  const all = async (reads: Reads) => ({ data: (await loadBoard(reads, shown, ALL)).data });
  return (
    <Section title="Undecided wagers" of={figured(board)} actions={<DownloadCsv name="risk" load={all} />}>
      <Loaded of={board}>
        {({ data, totals, is_complete: isComplete }) => (
          <>
            {!isComplete && <p>Not all is known yet: wagers or worst cases are missing, and so in the totals.</p>}
            <DataTable
              caption={data.length < totals.wagers ? `The first ${data.length}, totals of all` : 'All undecided wagers'}
              columns={boardColumns(board)}
              items={data}
              keyOf={({ id }) => id}
              sort={orderOf(query)}
              empty={
                <p>
                  {query.event === undefined
                    ? 'No wager is undecided: an offer creates one.'
                    : 'No undecided wager has this event.'}
                </p>
              }
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** The columns of profit and loss have one title: pressed again, it shows the losses first. */
const orderOfUsers = (query: Query): Sort => {
  const by = query.users ?? 'exposure';
  const onSort = (pressed: string) =>
    route(
      addressWith(PATH, { ...query, users: pressed === 'profit_today' && by === pressed ? 'loss_today' : pressed }),
    );
  return { by: by === 'loss_today' ? 'profit_today' : by, isDescending: by !== 'loss_today', onSort };
};

const NO_USERS = {
  exposure: 'No user can lose anything: none has an open offer or bet.',
  profit_today: 'No user has won by bets today (UTC).',
  loss_today: 'No user has lost by bets today (UTC).',
};

function Users({ query }: Shown) {
  const sort_by = (query.users ?? 'exposure') as keyof typeof NO_USERS;
  const users = useShared<RiskyUsers>(({ get }) => get('/risk/users', { params: { query: { sort_by } } }), [sort_by], {
    types: [...ABOUT_BETS, 'transaction.*'],
  });
  return (
    <Section title="Users" of={figured(users)}>
      <Loaded of={users}>
        {({ data, totals }) => (
          <DataTable
            caption="The first fifty users"
            columns={userColumns(totals)}
            items={data}
            keyOf={({ user_id: id }) => id}
            sort={orderOfUsers(query)}
            empty={<p>{NO_USERS[sort_by]}</p>}
          />
        )}
      </Loaded>
    </Section>
  );
}

export function RiskPage({ query }: PageProps) {
  return (
    <>
      <Heading text="Risk" />
      <p>
        The worst case of a wager is the most that those users who lose by their matched bets pay together at one
        result; the others get as much.
      </p>
      <Filters path={PATH} query={query} filters={FILTERS} />
      <SavedViews path={PATH} query={query} />
      <Wagers query={query} />
      <Users query={query} />
    </>
  );
}
