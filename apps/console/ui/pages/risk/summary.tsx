import { formatCountOf } from '../../parts/amount.js';
import { DataTable } from '../../parts/data-table.js';
import { Amounts } from '../../parts/named.js';
import { Section } from '../../parts/section.js';
import { ABOUT_BETS } from '../ledger/following.js';
import { type Board, closesIn, figured, type RiskyUsers, userColumns, useShared, worstColumns } from './board.js';

const MOST_WAGERS = 10;
const MOST_USERS = 5;

/** What the open wagers can still cost, while there are any: the riskiest ones, and the most exposed users. */
export function RiskSummary() {
  const wagers = useShared<Board>(({ get }) => get('/risk/wagers', { params: { query: { limit: MOST_WAGERS } } }), [], {
    types: ABOUT_BETS,
  });
  const users = useShared<RiskyUsers>(
    ({ get }) => get('/risk/users', { params: { query: { limit: MOST_USERS } } }),
    [],
    { types: [...ABOUT_BETS, 'transaction.*'] },
  );
  if (wagers.body === undefined || wagers.body.data.length === 0) return null;
  const { data, totals } = wagers.body;
  return (
    <Section title="Risk" of={figured(wagers)} actions={<a href="/risk">The whole board</a>}>
      <Amounts
        of={{
          'Worst case of all open wagers': totals.worst_case,
          'Matched in open wagers': totals.matched_amount,
        }}
      />
      <DataTable
        caption={`The riskiest of ${formatCountOf(totals.wagers, 'open wager')}`}
        columns={[...worstColumns(wagers), closesIn(wagers)].map(({ total: _total, ...column }) => column)}
        items={data}
        keyOf={({ id }) => id}
        empty={null}
      />
      {users.body !== undefined && users.body.data.length > 0 && (
        <DataTable
          caption="The most exposed users"
          columns={userColumns()}
          items={users.body.data}
          keyOf={({ user_id: id }) => id}
          empty={null}
        />
      )}
    </Section>
  );
}
