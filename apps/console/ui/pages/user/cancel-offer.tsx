import { api, type Schemas } from '../../api/api.js';
import { type ActionProps, FormDialog } from '../../forms/form.js';
import { Amount, readAmount } from '../../parts/amount.js';

/** Cancels an offer, or a part of it. */
export function CancelOffer({ of: offer, onClose }: ActionProps & { readonly of: Schemas['OpenBet'] }) {
  const { id, wager_reference, requesting_user_id, requesting_odds, requesting_amount } = offer;
  return (
    <FormDialog
      title={`Cancel the offer ${id}`}
      name={`cancel the offer ${id}`}
      action="Cancel the offer"
      decides
      fields={{
        cancel_amount: {
          label: 'Amount',
          hint: 'Part of the stake to cancel. Empty: all of it.',
          number: readAmount,
        },
      }}
      send={({ cancel_amount: text }, idempotencyKey, { cancel_amount }) => {
        const part = text.trim() === '' ? { cancel_all: true } : { cancel_amount };
        const body = { bet_id: id, requesting_user_id, wager_references: [wager_reference], ...part };
        return api.post('/bets/cancel-offer', { idempotencyKey, body });
      }}
      done={({ data: [canceled] }) => canceled?.note ?? `The offer ${id} is canceled`}
      onClose={onClose}
    >
      <p>
        A stake of <Amount value={requesting_amount} /> at odds <Amount value={requesting_odds} /> on{' '}
        <bdi>{wager_reference}</bdi>.
      </p>
    </FormDialog>
  );
}
