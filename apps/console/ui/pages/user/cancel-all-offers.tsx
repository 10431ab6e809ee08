import { api, LedgerError, type Reads, type Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { Amount, formatAmount, formatCountOf } from '../../parts/amount.js';
import { Dialog } from '../../parts/dialog.js';
import { AsOf, Loaded } from '../../parts/loaded.js';

type User = Pick<Schemas['User'], 'id' | 'reference'>;

const PER_PAGE = 100;
/** So many pages of offers are looked through for their wagers. */
const MOST_PAGES = 100;
/** One request names no more. */
const WAGERS_OF_REQUEST = 100;

interface OpenOffers {
  readonly count: number;
  readonly sum: number;
  readonly wagers: readonly string[];
}

async function readOffers({ get }: Reads, { reference }: User): Promise<OpenOffers> {
  const shared = { user_reference: [reference], per_page: PER_PAGE };
  const first = await get('/bets/open-bets', {
    params: { query: { ...shared, cursor: '', include_totals: true } },
  });
  const wagers = new Set(first.data.map(({ wager_reference }) => wager_reference));
  let { next } = first;
  for (let pages = 1; next != null && pages < MOST_PAGES; pages += 1) {
    const page = await get('/bets/open-bets', { params: { query: { ...shared, cursor: next } } });
    for (const { wager_reference } of page.data) wagers.add(wager_reference);
    next = page.next;
  }
  return { count: first.total ?? 0, sum: first.total_requesting_amount ?? 0, wagers: [...wagers] };
}

/** Offers that ended meanwhile need no cancel. The same wagers have the same key, so a repetition cancels nothing more. */
async function cancelOn({ id }: User, wagers: readonly string[], idempotencyKey: string): Promise<number> {
  try {
    const body = { requesting_user_id: id, wager_references: [...wagers], cancel_all: true };
    const { data, remaining = 0 } = await api.post('/bets/cancel-offer', { idempotencyKey, body });
    return data.length + remaining;
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'no-cancelable-bets') return 0;
    throw error;
  }
}

async function cancelAll(user: User, wagers: readonly string[], idempotencyKey: string): Promise<number> {
  let canceled = 0;
  for (let from = 0; from < wagers.length; from += WAGERS_OF_REQUEST) {
    const some = wagers.slice(from, from + WAGERS_OF_REQUEST);
    canceled += await cancelOn(user, some, `${idempotencyKey}-${from}`);
  }
  return canceled;
}

/** Cancels all open offers of a user, on every wager: those that the dialog has counted. */
export function CancelAllOffers({ of: user, onClose }: { readonly of: User; readonly onClose: () => void }) {
  const offers = useResource((reads) => readOffers(reads, user), [user.id]);
  const { count = 0, sum = 0, wagers = [] } = offers.body ?? {};
  const form = useForm({
    name: `cancel all offers of ${user.id}`,
    isStored: false,
    fields: {},
    send: (_values, idempotencyKey) => cancelAll(user, wagers, idempotencyKey),
    onDone(canceled) {
      announce(`${formatCountOf(canceled, 'offer')} of ${user.reference} canceled`);
      onClose();
    },
  });
  return (
    <Dialog title="Cancel all offers" onClose={onClose}>
      <FormView
        form={form}
        action={count === 0 ? 'Cancel' : `Cancel ${formatCountOf(count, 'offer')}: ${formatAmount(sum)}`}
        decides
        least="trader"
        isOff={count === 0}
      >
        <Loaded of={offers}>
          {() => (
            <div class="column">
              <AsOf of={offers} />
              <p role="status">
                <bdi>{user.reference}</bdi> has {formatCountOf(count, 'open offer')} on{' '}
                {formatCountOf(wagers.length, 'wager')}, together <Amount value={sum} />.
              </p>
            </div>
          )}
        </Loaded>
      </FormView>
    </Dialog>
  );
}
