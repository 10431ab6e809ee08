import { api } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { Fields } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { Amount, formatAmount, formatCountOf } from '../../parts/amount.js';
import { Dialog } from '../../parts/dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { isAboutWager, LIST_PAUSE_MS } from '../ledger/following.js';
import { ChosenUser, keptUser, userField, useUserChoice } from './user-choice.js';

const ALL = ['all', 'All users: the wager is suspended'] as const;
const ONE = ['user', 'One user'] as const;

interface CanceledProps {
  readonly wager: string;
  /** Undefined: of all users. */
  readonly user: string | undefined;
}

/** How many offers are open, and what they come to; undefined: nobody is chosen. */
function useOpenOffers({ wager, user }: CanceledProps, isChosen: boolean) {
  const query = {
    wager_reference: [wager],
    per_page: 1,
    cursor: '',
    include_totals: true,
    ...(user !== undefined && { user_reference: [user] }),
  };
  return useResource(
    async ({ get }) => {
      if (!isChosen) return { count: 0, sum: 0 };
      const { total = 0, total_requesting_amount: sum = 0 } = await get('/bets/open-bets', { params: { query } });
      return { count: total, sum };
    },
    [user, isChosen],
    { types: ['offer.*', 'wager.*'], changedBy: isAboutWager(wager), pauseMs: LIST_PAUSE_MS },
  );
}

/** One request cancels all of a user. Those of everybody go with a suspension, so that no new ones come meanwhile. */
async function cancel({ wager, user }: CanceledProps, idempotencyKey: string): Promise<string> {
  if (user === undefined) {
    const body = { cancel_offers: true };
    await api.post('/wagers/{reference}/suspend', { idempotencyKey, params: { path: { reference: wager } }, body });
    return 'All open offers are canceled. The wager is suspended until it is resumed.';
  }
  const body = { requesting_user_reference: user, wager_references: [wager], cancel_all: true };
  const { data, remaining = 0 } = await api.post('/bets/cancel-offer', { idempotencyKey, body });
  return `${formatCountOf(data.length + remaining, 'offer')} of ${user} canceled`;
}

export interface CancelOffersProps {
  readonly wager: string;
  /** A closed wager is not suspended any more. */
  readonly isClosed: boolean;
  readonly onClose: () => void;
}

/** Cancels all open offers of a wager, or those of one user on it. */
export function CancelOffers({ wager, isClosed, onClose }: CancelOffersProps) {
  const form = useForm({
    name: `cancel offers on ${wager}`,
    isStored: false,
    fields: {
      whose: { label: 'Whose', value: isClosed ? 'user' : 'all', choices: isClosed ? [ONE] : [ALL, ONE] },
      user: userField(keptUser()),
    },
    send: (values, idempotencyKey) =>
      cancel({ wager, user: values.whose === 'all' ? undefined : values.user.trim() }, idempotencyKey),
    onDone(text) {
      announce(text);
      onClose();
    },
  });
  const isOfAll = form.values.whose === 'all';
  const choice = useUserChoice(isOfAll ? '' : form.values.user);
  const user = isOfAll ? undefined : choice.user?.reference;
  const isChosen = isOfAll || user !== undefined;
  const offers = useOpenOffers({ wager, user }, isChosen);
  const { count = 0, sum = 0 } = offers.body ?? {};
  const what = count === 0 ? 'Cancel' : `Cancel ${formatCountOf(count, 'offer')}: ${formatAmount(sum)}`;
  return (
    <Dialog title="Cancel offers" onClose={onClose}>
      <FormView form={form} action={what} decides least="trader" isOff={!isChosen || count === 0}>
        <Fields form={form} names={isOfAll ? ['whose'] : ['whose', 'user']} />
        {!isOfAll && (
          <ChosenUser choice={choice} text={form.values.user} onChoose={(reference) => form.set('user', reference)} />
        )}
        {isOfAll && <p>The wager is suspended, so that no new offers come, and stays so until you resume it.</p>}
        {isChosen && (
          <Loaded of={offers}>
            {() => (
              <p role="status">
                {count === 0 ? (
                  'No offers are open.'
                ) : (
                  <>
                    {formatCountOf(count, 'open offer')}, together <Amount value={sum} />.
                  </>
                )}
              </p>
            )}
          </Loaded>
        )}
      </FormView>
    </Dialog>
  );
}
