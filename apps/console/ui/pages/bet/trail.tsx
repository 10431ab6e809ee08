import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../api/api.js';
import { Amount } from '../../parts/amount.js';
import { DataTable } from '../../parts/data-table.js';
import { Time } from '../../parts/time.js';
import { OutcomeTag, StatusTag, UserLink } from '../ledger/tags.js';

type Bet = Schemas['Bet'];
type TrailEntry = Schemas['BetTrail'];

const MICROS = 1_000_000;

interface StepProps {
  readonly bet: Bet;
  readonly entry: TrailEntry;
}

/** What each user got by all transactions of a step together, in whole millionths; below zero: paid. */
function netsOf({ transactions }: TrailEntry): ReadonlyMap<string, number> {
  const nets = new Map<string, number>();
  for (const { user_reference: user, transaction_type: type, amount } of transactions) {
    if (type === 'no-action') continue;
    const micros = Math.round(amount * MICROS);
    nets.set(user, (nets.get(user) ?? 0) + (type === 'credit' ? micros : -micros));
  }
  return nets;
}

/** The money that a step moved between two users: what it took back and what it gave are one movement. */
function MoneyMoved({ entry }: StepProps) {
  if (entry.transactions.length === 0) return null;
  const nets = netsOf(entry);
  const [payee, paid] = [...nets].find(([, net]) => net > 0) ?? [];
  const [payer] = [...nets].find(([, net]) => net < 0) ?? [];
  if (payer === undefined || payee === undefined || paid === undefined) {
    return <> {nets.size === 0 ? 'No money moved.' : 'What it took back it gave again: no money moved.'}</>;
  }
  return (
    <>
      {' '}
      <UserLink reference={payer} /> paid <Amount value={paid / MICROS} /> to <UserLink reference={payee} />.
    </>
  );
}

/** What the step did to the offer or the bet, in words. */
function Sentence({ bet, entry }: StepProps): ComponentChildren {
  const { effective_odds: odds, effective_amount: amount } = entry;
  const trail = bet.bet_trails ?? [];
  if (entry.id === trail[0]?.id) {
    return (
      <>
        <UserLink reference={bet.requesting_user_reference} /> offers <Amount value={entry.requesting_amount} /> at odds{' '}
        <Amount value={entry.requesting_odds} />.
      </>
    );
  }
  const isAcceptance = entry.id === trail.find(({ accepting_amount }) => accepting_amount !== null)?.id;
  if (isAcceptance && entry.accepting_amount !== null && bet.accepting_user_reference !== null) {
    return (
      <>
        <UserLink reference={bet.accepting_user_reference} /> takes the other side of{' '}
        <Amount value={amount ?? entry.accepting_amount} /> at odds <Amount value={odds ?? entry.requesting_odds} />.
      </>
    );
  }
  return null;
}

function Step(props: StepProps) {
  const { entry } = props;
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
        <MoneyMoved {...props} />
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
                text: ({ user_reference }) => <UserLink reference={user_reference} />,
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
export function Trail({ bet }: { readonly bet: Bet }) {
  return (
    <ol class="trail">
      {(bet.bet_trails ?? []).map((entry) => (
        <Step key={entry.id} bet={bet} entry={entry} />
      ))}
    </ol>
  );
}
