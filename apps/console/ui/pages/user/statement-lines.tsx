import type { Schemas } from '../../api/api.js';
import { DataTable } from '../../parts/data-table.js';
import { Amounts } from '../../parts/named.js';
import { Time } from '../../parts/time.js';
import { WagerLink } from '../ledger/tags.js';

type Statement = Schemas['Statement'];
type Line = Schemas['StatementLine'];

export const SOURCES: Record<Line['source'], string> = {
  funding: 'Funding',
  withdrawal: 'Withdrawal',
  bet: 'Bet',
  correction: 'Correction',
};

/** What the whole period comes to. */
export function StatementFigures({ statement }: { readonly statement: Statement }) {
  const { opening_balance, credits, debits, bet_net, closing_balance } = statement;
  return (
    <>
      <p class="aside">
        From <Time at={statement.from} /> to <Time at={statement.to} />
      </p>
      <Amounts
        of={{
          Opening: opening_balance,
          Credits: credits,
          Debits: debits,
          'Net from bets': bet_net,
          Closing: closing_balance,
        }}
      />
    </>
  );
}

function Cause({ line: { wager_reference, bet_id, description, source } }: { readonly line: Line }) {
  return (
    <>
      <bdi>{description || SOURCES[source]}</bdi>
      {wager_reference !== null && (
        <>
          {' · '}
          <WagerLink reference={wager_reference} />
        </>
      )}
      {bet_id !== null && (
        <>
          {' · '}
          <a href={`/bets/${bet_id}`}>bet {bet_id}</a>
        </>
      )}
    </>
  );
}

export function StatementLines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <DataTable
      caption="Transactions, newest first"
      namesRows={false}
      columns={[
        { title: 'Time', time: ({ at }) => at },
        { title: 'Amount', amount: ({ signed_amount }) => signed_amount },
        { title: 'Balance', amount: ({ balance }) => balance },
        { title: 'Description', text: (line) => <Cause line={line} /> },
      ]}
      items={lines}
      keyOf={({ id }) => id}
      empty={<p>No transactions in this period.</p>}
    />
  );
}
