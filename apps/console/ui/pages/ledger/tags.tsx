import type { Schemas } from '../../api/api.js';
import { accountQuery } from '../../api/seen-account.js';

export type Outcome = Schemas['Outcome'];

/** The outcomes that decide a wager, in the order of what they bring the requester. */
export const DECIDED = ['win', 'half-win', 'push', 'void', 'half-loss', 'loss'] as const;

export const outcomeText: Readonly<Record<Outcome, string>> = {
  undecided: 'Undecided',
  win: 'Win',
  'half-win': 'Half win',
  push: 'Push',
  void: 'Void',
  'half-loss': 'Half loss',
  loss: 'Loss',
};

export const outcomeChoices = DECIDED.map((outcome) => [outcome, outcomeText[outcome]] as const);

export function OutcomeTag({ outcome }: { readonly outcome: Outcome }) {
  return <span class="tag">{outcomeText[outcome]}</span>;
}

const statuses = {
  requesting: ['tag warn', 'Open offer'],
  accepted: ['tag good', 'Matched'],
  expired: ['tag', 'Expired'],
  canceled: ['tag', 'Canceled'],
} as const;

export function StatusTag({ status }: { readonly status: Schemas['OfferStatus'] }) {
  const [style, text] = statuses[status];
  return <span class={style}>{text}</span>;
}

const wagerStatuses = { open: 'tag good', suspended: 'tag warn', closed: 'tag' } as const;

/** Whether a wager takes offers and acceptances. */
export function WagerStatusTag({ status }: { readonly status: Schemas['WagerStatus'] }) {
  return <span class={wagerStatuses[status]}>{status}</span>;
}

interface Named {
  readonly reference: string;
  readonly account?: number | undefined;
}

export const wagerAddress = ({ reference, account }: Named): string =>
  `/wagers/${encodeURIComponent(reference)}${accountQuery(account)}`;

export function WagerLink(named: Named) {
  return (
    <a href={wagerAddress(named)}>
      <bdi>{named.reference}</bdi>
    </a>
  );
}

export function UserLink({ reference, account, inNewTab = false }: Named & { readonly inNewTab?: boolean }) {
  return (
    <a
      href={`/users/${encodeURIComponent(reference)}${accountQuery(account)}`}
      {...(inNewTab && { target: '_blank', rel: 'noopener' })}
    >
      <bdi>{reference}</bdi>
    </a>
  );
}

interface LinkedBet {
  readonly id: number;
  readonly account?: number | undefined;
}

export function BetLink({ id, account }: LinkedBet) {
  return <a href={`/bets/${id}${accountQuery(account)}`}>{id}</a>;
}
