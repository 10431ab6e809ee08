import type { Schemas } from '../../api/api.js';
import type { Column } from '../../parts/data-table.js';
import { Time } from '../../parts/time.js';
import { BetLink, OutcomeTag, StatusTag, UserLink, WagerLink } from './tags.js';

/** A bet, or an open offer, of which no acceptor is known yet. */
type Offer = Omit<Schemas['OpenBet'], 'allowed_acceptor_ids'>;
export type ListedBet = Offer & Partial<Omit<Schemas['Bet'], keyof Offer>>;

/** By which outcome it is settled: its own one, or that of its wager. */
function Settled({ bet }: { readonly bet: ListedBet }) {
  const { override_outcome: override, wager, is_active: isActive = true } = bet;
  return (
    <>
      {wager !== undefined && <OutcomeTag outcome={override ?? wager.outcome} />}
      {override != null && <span class="tag warn">override</span>}
      {!isActive && <span class="tag bad">inactive</span>}
    </>
  );
}

/** With the end of an open offer. */
function Status({ bet: { offer_status: status, expires_at: end } }: { readonly bet: ListedBet }) {
  return (
    <>
      <StatusTag status={status} />
      {status === 'requesting' && end !== null && (
        <p class="aside">
          until <Time at={end} short />
        </p>
      )}
    </>
  );
}

/** The columns of a table of bets, which may all be of one wager, that the page has named. */
export function betColumns({ isOfWager = false } = {}): readonly Column<ListedBet>[] {
  const wager: Column<ListedBet> = {
    title: 'Wager',
    text: (bet) => <WagerLink reference={bet.wager_reference} />,
  };
  return [
    { title: 'Bet', text: ({ id }) => BetLink({ id }) },
    ...(isOfWager ? [] : [wager]),
    { title: 'Status', text: (bet) => <Status bet={bet} /> },
    {
      title: 'Requester',
      text: (bet) => <UserLink reference={bet.requesting_user_reference} />,
    },
    {
      title: 'Acceptor',
      text: ({ accepting_user_reference: acceptor }) => (acceptor == null ? null : <UserLink reference={acceptor} />),
    },
    { title: 'Odds', amount: (bet) => bet.effective_odds ?? bet.requesting_odds },
    { title: 'Stake', amount: (bet) => bet.effective_amount ?? bet.requesting_amount },
    { title: 'Outcome', text: (bet) => <Settled bet={bet} /> },
    { title: 'Offered', time: ({ created_at }) => created_at },
  ];
}
