import { api, type Schemas } from '../../api/api.js';
import { TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { numberOf } from '../../forms/values.js';
import { announce } from '../../parts/alerts.js';
import { Dialog } from '../../parts/dialog.js';

export interface MakeOfferProps {
  readonly user: Schemas['User'];
  readonly onClose: () => void;
}

/** An offer of this user; the first one on a wager creates the wager. */
export function MakeOffer({ user: { id, reference }, onClose }: MakeOfferProps) {
  const form = useForm({
    name: `offer of ${id}`,
    initial: { wager_reference: '', requesting_odds: '', requesting_amount: '' },
    send: ({ wager_reference, requesting_odds, requesting_amount }, idempotencyKey) =>
      api.post('/bets/make-offer', {
        idempotencyKey,
        body: {
          wager_reference: wager_reference.trim(),
          requesting_user_id: id,
          requesting_odds: numberOf(requesting_odds),
          requesting_amount: numberOf(requesting_amount),
        },
      }),
    onDone({ data: { bet_id } }) {
      announce(`Offer ${bet_id} is open`);
      onClose();
    },
  });
  return (
    <Dialog title={`Offer of ${reference}`} onClose={onClose}>
      <FormView form={form} action="Make the offer" decides>
        <TextField
          form={form}
          name="wager_reference"
          label="Wager"
          hint="The reference of what is bet on, like “home-win”. The first offer on it creates it."
          isRequired
        />
        <TextField
          form={form}
          name="requesting_odds"
          label="Odds"
          hint="Decimal: at 2.5, a stake of 10 wins 15."
          inputMode="decimal"
          isRequired
        />
        <TextField form={form} name="requesting_amount" label="Stake" inputMode="decimal" isRequired />
      </FormView>
    </Dialog>
  );
}
