import type { Schemas } from '../../api/api.js';
import { isLive } from '../../live/liveness.js';
import { Actions, useDialog } from '../../parts/actions.js';
import { DataTable, rowButton } from '../../parts/data-table.js';
import { Pager } from '../../parts/pager.js';
import { Section } from '../../parts/section.js';
import { CancelAllOffers } from '../later-dialogs.js';
import { WagerLink } from '../ledger/tags.js';
import { CancelOffer } from './cancel-offer.js';
import { MakeOffer } from './make-offer.js';

export interface OffersProps {
  readonly user: Schemas['User'];
  readonly offers: Schemas['OpenBetPage'];
  readonly onMove: (cursor: string) => void;
}

/** The open offers of a user: made here, canceled here. */
export function Offers({ user, offers: { data, next, previous }, onMove }: OffersProps) {
  const canceling = useDialog<Schemas['OpenBet']>((offer, close) => <CancelOffer of={offer} onClose={close} />);
  const make = {
    text: 'Make an offer',
    least: 'trader' as const,
    dialog: (close: () => void) => <MakeOffer of={user} onClose={close} />,
  };
  const cancelAll = {
    text: 'Cancel all …',
    least: 'trader' as const,
    isHidden: data.length === 0,
    isOff: !isLive.value,
    dialog: (close: () => void) => <CancelAllOffers of={user} onClose={close} />,
  };
  return (
    <Section title="Open offers" actions={<Actions of={{ make, cancelAll }} />}>
      {canceling.dialog}
      <DataTable
        caption="Open offers"
        hidesCaption
        columns={[
          { title: 'Offer', text: ({ id }) => <a href={`/bets/${id}`}>{id}</a> },
          { title: 'Wager', text: ({ wager_reference }) => <WagerLink reference={wager_reference} /> },
          { title: 'Odds', amount: ({ requesting_odds }) => requesting_odds },
          { title: 'Stake', amount: ({ requesting_amount }) => requesting_amount },
          { title: 'Offered', time: ({ created_at }) => created_at },
          { title: 'Expires', time: ({ expires_at }) => expires_at },
          rowButton('Cancel', ({ id }) => `Cancel the offer ${id}`, canceling.open, 'trader'),
        ]}
        items={data}
        keyOf={({ id }) => id}
        empty={<p>No open offers. Make one with the button above.</p>}
      />
      <Pager page={{ next, previous }} onMove={onMove} />
    </Section>
  );
}
