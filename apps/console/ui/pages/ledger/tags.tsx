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

/** Links keep the account that an admin looks into. */
const accountQuery = (account: number | undefined) => (account === undefined ? '' : `?account=${account}`);

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

/** Users of another account have no page in the console. */
export function UserLink({ reference, account, inNewTab = false }: Named & { readonly inNewTab?: boolean }) {
  const name = <bdi>{reference}</bdi>;
  if (account !== undefined) return name;
  return (
    <a href={`/users/${encodeURIComponent(reference)}`} {...(inNewTab && { target: '_blank', rel: 'noopener' })}>
      {name}
    </a>
  );
}

interface Linked {
  readonly id: number;
  readonly wager_reference: string;
  readonly created_at: string;
}

/** The API reads a bet of another account by its wager and its time only, so the address names both. */
export function BetLink({ bet, account }: { readonly bet: Linked; readonly account?: number | undefined }) {
  const { id, wager_reference: wager, created_at: at } = bet;
  const query = account === undefined ? '' : `?${new URLSearchParams({ account: String(account), wager, at })}`;
  return <a href={`/bets/${id}${query}`}>{id}</a>;
}
