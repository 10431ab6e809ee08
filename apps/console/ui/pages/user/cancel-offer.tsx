import { api, type Schemas } from '../../api/api.js';
import { TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { Amount, readAmount } from '../../parts/amount.js';
import { Dialog } from '../../parts/dialog.js';

export interface CancelOfferProps {
  readonly offer: Schemas['OpenBet'];
  readonly onClose: () => void;
}

/** Cancels an offer, or a part of it. */
export function CancelOffer({ offer, onClose }: CancelOfferProps) {
  const { id, wager_reference, requesting_user_id, requesting_odds, requesting_amount } = offer;
  const form = useForm({
    name: `cancel the offer ${id}`,
    initial: { cancel_amount: '' },
    numbers: { cancel_amount: readAmount },
    send({ cancel_amount: text }, idempotencyKey, { cancel_amount }) {
      const part = text.trim() === '' ? { cancel_all: true } : { cancel_amount };
      const body = { bet_id: id, requesting_user_id, wager_references: [wager_reference], ...part };
      return api.post('/bets/cancel-offer', { idempotencyKey, body });
    },
    onDone({ data: [canceled] }) {
      announce(canceled?.note ?? `The offer ${id} is canceled`);
      onClose();
    },
  });
  return (
    <Dialog title={`Cancel the offer ${id}`} onClose={onClose}>
      <p>
        A stake of <Amount value={requesting_amount} /> at odds <Amount value={requesting_odds} /> on{' '}
        <bdi>{wager_reference}</bdi>.
      </p>
      <FormView form={form} action="Cancel the offer" decides>
        <TextField
          form={form}
          name="cancel_amount"
          label="Amount"
          hint="Part of the stake to cancel. Empty: all of it."
          inputMode="decimal"
        />
      </FormView>
    </Dialog>
  );
}
