import type { ComponentChildren } from 'preact';
import type { LedgerEvent } from '../../live/shared-events.js';
import { formatAmount } from '../../parts/amount.js';
import { timeOr } from '../../parts/time.js';
import { outcomeText, UserLink as UserByReference, WagerLink } from '../ledger/tags.js';

// An event as a sentence, with links to what it is about. Lists have a hundred of them, so these are functions and whole
// texts: each component and each piece of text costs the browser time.

/** Events name users by their ids. */
export function UserLink({ id }: { readonly id: number }) {
  return <a href={`/users/by-id/${id}`}>{`user ${id}`}</a>;
}

type Teller = (event: LedgerEvent) => ComponentChildren;
type Outcome = keyof typeof outcomeText;

/** The outcome of an event, as its reader knows it. */
const outcomeOf = (outcome: string | null | undefined): string | undefined =>
  outcome == null ? undefined : `: ${(outcomeText[outcome as Outcome] ?? outcome).toLowerCase()}`;

const terms = (amount: number | null | undefined, odds: number | null | undefined): string =>
  `${formatAmount(amount ?? 0)} at ${formatAmount(odds ?? 0)}, `;

/** A bet and its wager, between two texts. */
function aboutBet({ bet, wager }: LedgerEvent, before?: string, after?: string): ComponentChildren {
  return (
    <>
      {before}
      <a href={`/bets/${bet?.id}`}>{`bet ${bet?.id}`}</a>
      {wager && ' on '}
      {wager && WagerLink(wager)}
      {after}
    </>
  );
}

const movementOf: Teller = ({ transactions: [movement] = [] }) => {
  if (movement === undefined) return 'Money moved';
  const { transaction_source, transaction_type, amount, user_id, balance_after } = movement;
  const isCorrection = transaction_source === 'correction';
  return (
    <>
      {isCorrection && 'Balance corrected: '}
      {`${formatAmount(amount)} ${transaction_type === 'debit' ? 'from' : 'to'} `}
      {UserLink({ id: user_id })}
      {isCorrection && amount === 0 && ', no money moved'}
      {`: the balance is ${formatAmount(balance_after)}`}
    </>
  );
};

/** Why an offer ended by itself. */
const endings: Readonly<Record<string, string>> = {
  time: ': its time had come',
  suspended: ': its wager was suspended or closed',
  timer: ': its timer ran out',
};

const offerOf: Teller = (event) =>
  aboutBet(event, terms(event.bet?.requesting_amount, event.bet?.requesting_odds), endings[event.reason ?? '']);

const matchOf: Teller = (event) => aboutBet(event, terms(event.bet?.effective_amount, event.bet?.effective_odds));

const settlementOf: Teller = (event) =>
  aboutBet(event, undefined, outcomeOf(event.bet?.override_outcome ?? event.bet?.outcome));

const userOf: Teller = ({ user }) =>
  user !== undefined && (
    <>
      {user.reference === undefined ? UserLink(user) : UserByReference({ reference: user.reference })}{' '}
      <bdi>{user.name}</bdi>
    </>
  );

const accountOf: Teller = ({ account = {} }) => Object.keys(account).join(', ');

const webhookOf: Teller = ({ webhook_endpoint: endpoint }) =>
  endpoint !== undefined && <a href={`/webhooks/${endpoint.id}`}>webhook {endpoint.id}</a>;

const wagerOf: Teller = ({ wager, reason }) =>
  wager !== undefined && (
    <>
      {WagerLink(wager)}
      {outcomeOf(wager.outcome)}
      {wager.event !== undefined && ' is of '}
      {wager.event !== undefined && (wager.event === null ? 'no event' : <bdi>{wager.event}</bdi>)}
      {wager.starts_at !== undefined && ' starts at '}
      {wager.starts_at !== undefined && timeOr('no time', wager.starts_at)}
      {wager.closes_at !== undefined && ' closes at '}
      {wager.closes_at !== undefined && timeOr('no time', wager.closes_at)}
      {reason !== undefined && ': '}
      {reason !== undefined && <bdi>{reason}</bdi>}
    </>
  );

const figuresOf: Teller = ({ user, disputed }) => (
  <>
    {(disputed ?? []).map(({ figure }) => figure).join(', ')} of {user !== undefined && <UserLink id={user.id} />}
  </>
);

/** By the family of the type. */
const tellers: Readonly<Record<string, Teller>> = {
  user: userOf,
  account: accountOf,
  webhook: webhookOf,
  transaction: movementOf,
  offer: offerOf,
  bet: settlementOf,
  wager: wagerOf,
};

/** What an event is about, in words, beside its type. */
export function EventText({ event }: { readonly event: LedgerEvent }): ComponentChildren {
  if (event.type === 'offer.matched') return matchOf(event);
  if (event.type === 'user.disputed') return figuresOf(event);
  const [family = ''] = event.type.split('.');
  return tellers[family]?.(event);
}
