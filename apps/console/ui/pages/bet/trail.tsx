import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../api/api.js';
import { Amount } from '../../parts/amount.js';
import { DataTable } from '../../parts/data-table.js';
import { Time } from '../../parts/time.js';
import { OutcomeTag, StatusTag, UserLink } from '../ledger/tags.js';

type Bet = Schemas['Bet'];
type TrailEntry = Schemas['BetTrail'];

interface StepProps {
  readonly bet: Bet;
  readonly entry: TrailEntry;
  readonly account: number | undefined;
}

/** The money that a step moved between two users. */
function Movement({ entry: { transactions }, account }: StepProps) {
  const [credit, debit] = ['credit', 'debit'].map((type) =>
    transactions.find(({ transaction_type }) => transaction_type === type),
  );
  if (transactions.length === 0) return null;
  if (credit === undefined || debit === undefined) return <> No money moved.</>;
  return (
    <>
      {' '}
      <UserLink reference={debit.user_reference} account={account} /> paid <Amount value={credit.amount} /> to{' '}
      <UserLink reference={credit.user_reference} account={account} />.
    </>
  );
}

/** What the step did to the offer or the bet, in words. */
function Sentence({ bet, entry, account }: StepProps): ComponentChildren {
  const { effective_odds: odds, effective_amount: amount } = entry;
  const trail = bet.bet_trails ?? [];
  if (entry.id === trail[0]?.id) {
    return (
      <>
        <UserLink reference={bet.requesting_user_reference} account={account} /> offers{' '}
        <Amount value={entry.requesting_amount} /> at odds <Amount value={entry.requesting_odds} />.
      </>
    );
  }
  const isAcceptance = entry.id === trail.find(({ accepting_amount }) => accepting_amount !== null)?.id;
  if (isAcceptance && entry.accepting_amount !== null && bet.accepting_user_reference !== null) {
    return (
      <>
        <UserLink reference={bet.accepting_user_reference} account={account} /> takes the other side of{' '}
        <Amount value={amount ?? entry.accepting_amount} /> at odds <Amount value={odds ?? entry.requesting_odds} />.
      </>
    );
  }
  return null;
}

function Step(props: StepProps) {
  const { entry, account } = props;
  return (
    <li>
      <h3>
        <bdi>{entry.description}</bdi>
      </h3>
      <p class="aside">
        <Time at={entry.created_at} /> <StatusTag status={entry.offer_status} />{' '}
        {entry.override_outcome !== null && (
          <>
            override <OutcomeTag outcome={entry.override_outcome} />
          </>
        )}
      </p>
      <p>
        <Sentence {...props} />
        <Movement {...props} />
      </p>
      {entry.transactions.length > 0 && (
        <details>
          <summary>{entry.transactions.length} transactions</summary>
          <DataTable
            caption="Transactions of this step"
            hidesCaption
            columns={[
              { title: 'Transaction', text: ({ reference }) => <code>{reference}</code> },
              {
                title: 'User',
                text: ({ user_reference }) => <UserLink reference={user_reference} account={account} />,
              },
              { title: 'Type', text: ({ transaction_type }) => transaction_type },
              { title: 'Amount', amount: ({ amount }) => amount },
              { title: 'Balance after', amount: ({ balance_after }) => balance_after },
              { title: 'Description', text: ({ description }) => <bdi>{description}</bdi> },
            ]}
            items={entry.transactions}
            keyOf={({ id }) => id}
            empty={null}
          />
        </details>
      )}
    </li>
  );
}

/** The life of a bet, step by step. */
export function Trail({ bet, account }: { readonly bet: Bet; readonly account: number | undefined }) {
  return (
    <ol class="trail">
      {(bet.bet_trails ?? []).map((entry) => (
        <Step key={entry.id} bet={bet} entry={entry} account={account} />
      ))}
    </ol>
  );
}
