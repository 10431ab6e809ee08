import { api, type Schemas } from '../../api/api.js';
import { TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { optionalText } from '../../forms/values.js';
import { announce } from '../../parts/alerts.js';
import { Amount, formatAmount, readAmount } from '../../parts/amount.js';
import { Dialog } from '../../parts/dialog.js';
import { exactly } from '../../parts/exactly.js';
import { askOfMovement } from '../ledger/questions.js';

const MOVEMENTS = {
  fund: { path: '/transactions/fund-user', title: 'Fund', done: 'Funded' },
  withdraw: { path: '/transactions/withdraw', title: 'Withdraw from', done: 'Withdrew' },
} as const;

export type Movement = keyof typeof MOVEMENTS;

export interface MoneyFormProps {
  readonly movement: Movement;
  readonly user: Schemas['User'];
  readonly onClose: () => void;
}

/** Money in or out. */
export function MoneyForm({ movement, user: { id, reference, balance, exposure }, onClose }: MoneyFormProps) {
  const { path, title, done } = MOVEMENTS[movement];
  const form = useForm({
    name: `${movement} ${id}`,
    initial: { amount: '', description: '' },
    numbers: { amount: readAmount },
    ask: (_values, { amount }) => askOfMovement({ movement, reference, amount }),
    send: ({ description }, idempotencyKey, { amount }) =>
      api.post(path, { idempotencyKey, body: { user_id: id, amount, description: optionalText(description) ?? null } }),
    onDone({ data }) {
      announce(`${done} ${formatAmount(data.amount)}. The balance is ${formatAmount(data.balance_after)}.`);
      onClose();
    },
  });
  return (
    <Dialog title={`${title} ${reference}`} onClose={onClose}>
      <p>
        The balance is <Amount value={balance} />, of which <Amount value={exactly(balance - exposure)} /> is available.
      </p>
      <FormView form={form} action={movement === 'fund' ? 'Fund' : 'Withdraw'} decides>
        <TextField form={form} name="amount" label="Amount" inputMode="decimal" isRequired />
        <TextField form={form} name="description" label="Description" hint="Shown on the statement." />
      </FormView>
    </Dialog>
  );
}
