import { useSignal } from '@preact/signals';
import { api, type Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { concernsUser } from '../../live/concerns.js';
import { DataTable } from '../../parts/data-table.js';
import { PagedList, type PagedResource } from '../../parts/paged-list.js';
import { Section } from '../../parts/section.js';
import { LIST_PAUSE_MS } from '../ledger/following.js';
import { WagerLink } from '../ledger/tags.js';
import { CancelOffer } from './cancel-offer.js';
import { MakeOffer } from './make-offer.js';

type Offer = Schemas['OpenBet'];

const PER_PAGE = 20;

interface OfferTableProps {
  readonly offers: readonly Offer[];
  readonly onCancel: (offer: Offer) => void;
}

function OfferTable({ offers, onCancel }: OfferTableProps) {
  return (
    <DataTable
      caption="Open offers"
      hidesCaption
      columns={[
        { title: 'Offer', text: ({ id }) => <a href={`/bets/${id}`}>{id}</a> },
        {
          title: 'Wager',
          text: ({ wager_reference }) => <WagerLink reference={wager_reference} />,
        },
        { title: 'Odds', amount: ({ requesting_odds }) => requesting_odds },
        { title: 'Stake', amount: ({ requesting_amount }) => requesting_amount },
        { title: 'Offered', time: ({ created_at }) => created_at },
        {
          title: 'Cancel',
          hidesTitle: true,
          text: (offer) => (
            <button type="button" aria-label={`Cancel the offer ${offer.id}`} onClick={() => onCancel(offer)}>
              Cancel
            </button>
          ),
        },
      ]}
      items={offers}
      keyOf={({ id }) => id}
      empty={<p>No open offers. Make one with the button above.</p>}
    />
  );
}

type OfferList = PagedResource<Schemas['OpenBetPage']>;

export function useOffers(userId: number): OfferList {
  const cursor = useSignal('');
  const query = { requesting_user_ids: [userId], per_page: PER_PAGE, cursor: cursor.value };
  const resource = useResource(() => api.get('/bets/open-bets', { params: { query } }), [userId, cursor.value], {
    pauseMs: LIST_PAUSE_MS,
    changedBy: (event) => concernsUser(event, userId) || event.type.startsWith('wager.'),
  });
  return { resource, cursor };
}

/** The open offers of a user: made here, canceled here. */
export function Offers({ user, offers }: { readonly user: Schemas['User']; readonly offers: OfferList }) {
  const isMaking = useSignal(false);
  const canceling = useSignal<Offer | undefined>(undefined);
  const close = () => {
    isMaking.value = false;
    canceling.value = undefined;
  };
  const make = (
    <button
      type="button"
      onClick={() => {
        isMaking.value = true;
      }}
    >
      Make an offer
    </button>
  );
  return (
    <Section title="Open offers" actions={make}>
      {isMaking.value && <MakeOffer user={user} onClose={close} />}
      {canceling.value !== undefined && <CancelOffer offer={canceling.value} onClose={close} />}
      <PagedList of={offers.resource} cursor={offers.cursor}>
        {(items) => (
          <OfferTable
            offers={items}
            onCancel={(offer) => {
              canceling.value = offer;
            }}
          />
        )}
      </PagedList>
    </Section>
  );
}
