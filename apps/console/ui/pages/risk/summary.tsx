import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatCountOf } from '../../parts/amount.js';
import { DataTable } from '../../parts/data-table.js';
import { Section } from '../../parts/section.js';
import { BoardSpace, noteWagers } from '../ledger/board-space.js';
import { ABOUT_BETS } from '../ledger/following.js';
import { type Board, figured, nextOrder, type RiskyUsers, shortColumns, userColumns, useShared } from './board.js';

const MOST_USERS = 5;

function ExposedUsers() {
  const users = useShared<RiskyUsers>(
    ({ get }) => get('/risk/users', { params: { query: { limit: MOST_USERS } } }),
    [],
    { types: [...ABOUT_BETS, 'transaction.*'] },
  );
  if (users.body === undefined || users.body.data.length === 0) return null;
  return (
    <DataTable
      caption="The most exposed users"
      columns={userColumns(undefined)}
      items={users.body.data}
      keyOf={({ user_id: id }) => id}
      empty={null}
    />
  );
}

export interface RiskSummaryProps {
  /** So many wagers. */
  readonly most: number;
  readonly hasUsers?: boolean;
}

/** What the undecided wagers can still cost, while there are any: the first ones in the chosen order, and on Overview the users. */
export function RiskSummary({ most, hasUsers = false }: RiskSummaryProps) {
  const order = useSignal({ by: 'worst_case', isDescending: true });
  const { by, isDescending } = order.value;
  const query = {
    limit: most,
    sort_by: by as 'worst_case',
    sort_direction: isDescending ? ('desc' as const) : ('asc' as const),
  };
  const wagers = useShared<Board>(({ get }) => get('/risk/wagers', { params: { query } }), [by, isDescending], {
    types: ABOUT_BETS,
  });
  const count = wagers.body?.totals.wagers;
  useEffect(() => {
    if (count !== undefined) noteWagers(count);
  }, [count]);
  if (wagers.body === undefined) return <BoardSpace most={most} hasFailed={wagers.error !== undefined} />;
  if (wagers.body.data.length === 0) return null;
  const { data, totals } = wagers.body;
  const isAll = data.length === totals.wagers;
  return (
    <Section title="Risk" of={figured(wagers)} actions={<a href="/risk">The whole board</a>}>
      <DataTable
        caption={
          isAll
            ? 'All undecided wagers'
            : `${data.length} of ${formatCountOf(totals.wagers, 'undecided wager')}, totals of all`
        }
        columns={shortColumns(wagers)}
        items={data}
        keyOf={({ id }) => id}
        sort={{
          by,
          isDescending,
          onSort(pressed) {
            order.value = nextOrder(order.peek(), pressed);
          },
        }}
        empty={null}
      />
      {hasUsers && <ExposedUsers />}
    </Section>
  );
}
