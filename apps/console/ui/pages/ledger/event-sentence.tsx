import type { LedgerEvent } from '../../live/shared-events.js';
import { Amount } from '../../parts/amount.js';
import { outcomeText, UserLink, WagerLink } from './tags.js';

const texts: Readonly<Record<string, string>> = {
  'log.opened': 'The event log began',
  'user.created': 'User created',
  'user.updated': 'User changed',
  'offer.made': 'Offer',
  'offer.matched': 'Match',
  'offer.canceled': 'Offer canceled',
  'offer.expired': 'Offer expired',
  'offer.reopened': 'Offer open again',
  'bet.settled': 'Bet settled',
  'bet.unsettled': 'Settlement taken back',
  'bet.overridden': 'Outcome of its own',
  'bet.activated': 'Bet set active',
  'bet.deactivated': 'Bet set inactive',
  'wager.created': 'Wager created',
  'wager.decided': 'Wager decided',
  'wager.corrected': 'Wager corrected',
  'wager.settled': 'Wager settled',
  'wager.canceling': 'Large cancel',
  'account.updated': 'Account changed',
  'operator.repaired': 'Figures repaired',
};

const movements: Readonly<Record<string, string>> = { funding: 'Money in', withdrawal: 'Money out' };

export function eventTitle({ type, transactions }: LedgerEvent): string {
  const source = transactions?.[0]?.transaction_source;
  if (type === 'transaction.created') return movements[source ?? ''] ?? 'Transaction';
  // The API may have types that this page does not know.
  return texts[type] ?? type;
}

function Figure({ event: { type, bet, transactions, wager } }: { readonly event: LedgerEvent }) {
  if (bet !== undefined) {
    return (
      <>
        <Amount value={bet.effective_amount ?? bet.requesting_amount} /> at{' '}
        <Amount value={bet.effective_odds ?? bet.requesting_odds} />
      </>
    );
  }
  const [transaction] = type === 'transaction.created' ? (transactions ?? []) : [];
  if (transaction !== undefined) return <Amount value={transaction.amount} />;
  return wager?.outcome === undefined ? null : <span>{outcomeText[wager.outcome]}</span>;
}

/** What an event is about, with links. */
export function EventSentence({ event }: { readonly event: LedgerEvent }) {
  const { bet, wager, user, type } = event;
  return (
    <>
      {bet !== undefined && <a href={`/bets/${bet.id}`}>Bet {bet.id}</a>}
      {wager !== undefined && (
        <>
          {bet !== undefined && ' on '}
          <WagerLink reference={wager.reference} />
        </>
      )}
      {user?.reference !== undefined && <UserLink reference={user.reference} />}
      {(bet !== undefined || wager?.outcome !== undefined) && ': '}
      {(bet !== undefined || wager !== undefined || type === 'transaction.created') && <Figure event={event} />}
    </>
  );
}
