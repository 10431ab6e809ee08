import type { Schemas } from '../../api/api.js';

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
}

export const wagerAddress = (reference: string): string => `/wagers/${encodeURIComponent(reference)}`;

export function WagerLink({ reference }: Named) {
  return (
    <a href={wagerAddress(reference)}>
      <bdi>{reference}</bdi>
    </a>
  );
}

export function UserLink({ reference, inNewTab = false }: Named & { readonly inNewTab?: boolean }) {
  return (
    <a href={`/users/${encodeURIComponent(reference)}`} {...(inNewTab && { target: '_blank', rel: 'noopener' })}>
      <bdi>{reference}</bdi>
    </a>
  );
}

export function BetLink({ id }: { readonly id: number }) {
  return <a href={`/bets/${id}`}>{id}</a>;
}
