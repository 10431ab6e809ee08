import { api, type Schemas } from '../../api/api.js';
import { TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { readAmount, readOdds } from '../../parts/amount.js';
import { Dialog } from '../../parts/dialog.js';
import { askOfOffer } from '../ledger/questions.js';

export interface MakeOfferProps {
  readonly user: Schemas['User'];
  readonly onClose: () => void;
}

/** An offer of this user; the first one on a wager creates the wager. */
export function MakeOffer({ user: { id, reference }, onClose }: MakeOfferProps) {
  const form = useForm({
    name: `offer of ${id}`,
    initial: { wager_reference: '', requesting_odds: '', requesting_amount: '' },
    numbers: { requesting_odds: readOdds, requesting_amount: readAmount },
    ask: ({ wager_reference: wager }, { requesting_odds: odds, requesting_amount: amount }) =>
      askOfOffer({ reference, wager: wager.trim(), odds, amount }),
    send: ({ wager_reference }, idempotencyKey, numbers) =>
      api.post('/bets/make-offer', {
        idempotencyKey,
        body: { wager_reference: wager_reference.trim(), requesting_user_id: id, ...numbers },
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
          hint="The reference of the wager, like “home-win”. The first offer creates a wager."
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
