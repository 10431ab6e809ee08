import { api, type Schemas } from '../../api/api.js';
import { type ActionProps, FormDialog } from '../../forms/form.js';
import { readAmount, readOdds } from '../../parts/amount.js';
import { askOfOffer } from '../ledger/questions.js';

/** An offer of this user; the first one on a wager creates the wager. */
export const MakeOffer = ({ of: { id, reference }, ...props }: ActionProps & { readonly of: Schemas['User'] }) => (
  <FormDialog
    {...props}
    title={`Offer of ${reference}`}
    name={`offer of ${id}`}
    action="Make the offer"
    decides
    fields={{
      wager_reference: {
        label: 'Wager',
        hint: 'The reference of the wager, like “home-win”. The first offer creates a wager.',
        isRequired: true,
      },
      requesting_odds: {
        label: 'Odds',
        hint: 'Decimal: at 2.5, a stake of 10 wins 15.',
        number: readOdds,
        isRequired: true,
      },
      requesting_amount: { label: 'Stake', number: readAmount, isRequired: true },
    }}
    ask={({ wager_reference: wager }, { requesting_odds: odds, requesting_amount: amount }) =>
      askOfOffer({ reference, wager: wager.trim(), odds, amount })
    }
    send={({ wager_reference }, idempotencyKey, numbers) =>
      api.post('/bets/make-offer', {
        idempotencyKey,
        body: { wager_reference: wager_reference.trim(), requesting_user_id: id, ...numbers },
      })
    }
    done={({ data }) => `Offer ${data.bet_id} is open`}
  />
);
