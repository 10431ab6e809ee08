import type { ComponentChildren } from 'preact';
import type { LedgerEvent } from '../../live/shared-events.js';
import { Amount } from '../../parts/amount.js';
import { WagerLink } from '../ledger/tags.js';

// An event as a sentence, with links to what it is about.

function BetLink({ event: { bet, wager } }: { readonly event: LedgerEvent }) {
  return (
    <>
      <a href={`/bets/${bet?.id}`}>bet {bet?.id}</a>
      {wager !== undefined && (
        <>
          {' on '}
          <WagerLink reference={wager.reference} />
        </>
      )}
    </>
  );
}

/** Events name users by their ids. */
export function UserLink({ id }: { readonly id: number }) {
  return <a href={`/users/by-id/${id}`}>user {id}</a>;
}

function Terms({
  amount,
  odds,
}: {
  readonly amount: number | null | undefined;
  readonly odds: number | null | undefined;
}) {
  return (
    <>
      <Amount value={amount ?? 0} /> at <Amount value={odds ?? 0} />
    </>
  );
}

function Movement({ event: { transactions = [] } }: { readonly event: LedgerEvent }) {
  const [movement] = transactions;
  if (movement === undefined) return <>Money moved</>;
  const { transaction_source, amount, user_id, balance_after } = movement;
  const isIn = transaction_source === 'funding';
  return (
    <>
      <Amount value={amount} /> {isIn ? 'to' : 'from'} <UserLink id={user_id} />: the balance is{' '}
      <Amount value={balance_after} />
    </>
  );
}

type Teller = (event: LedgerEvent) => ComponentChildren;

const offerOf: Teller = (event) => (
  <>
    <Terms amount={event.bet?.requesting_amount} odds={event.bet?.requesting_odds} />, <BetLink event={event} />
  </>
);

const matchOf: Teller = (event) => (
  <>
    <Terms amount={event.bet?.effective_amount} odds={event.bet?.effective_odds} />, <BetLink event={event} />
  </>
);

const settlementOf: Teller = (event) => (
  <>
    <BetLink event={event} />: {event.bet?.override_outcome ?? event.bet?.outcome}
  </>
);

const userOf: Teller = ({ user }) =>
  user !== undefined && (
    <>
      <UserLink id={user.id} /> <bdi>{user.reference ?? user.name}</bdi>
    </>
  );

const accountOf: Teller = ({ account = {} }) => Object.keys(account).join(', ');

const webhookOf: Teller = ({ webhook_endpoint: endpoint }) =>
  endpoint !== undefined && <a href={`/webhooks/${endpoint.id}`}>webhook {endpoint.id}</a>;

const decisionOf: Teller = (event) => (
  <>
    {event.wager !== undefined && <WagerLink reference={event.wager.reference} />}
    {event.wager?.outcome !== undefined && `: ${event.wager.outcome}`}
  </>
);

/** By the family of the type. */
const tellers: Readonly<Record<string, Teller>> = {
  user: userOf,
  account: accountOf,
  webhook: webhookOf,
  transaction: (event) => <Movement event={event} />,
  offer: offerOf,
  bet: settlementOf,
  wager: decisionOf,
  operator: ({ user, repaired = [] }) => (
    <>
      {repaired.map(({ figure }) => figure).join(', ')} of {user !== undefined && <UserLink id={user.id} />}
    </>
  ),
};

/** What an event is about, in words, beside its type. */
export function EventText({ event }: { readonly event: LedgerEvent }) {
  if (event.type === 'offer.matched') return <>{matchOf(event)}</>;
  const [family = ''] = event.type.split('.');
  return <>{tellers[family]?.(event)}</>;
}
