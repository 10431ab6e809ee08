import { api, type Schemas } from '../../api/api.js';
import { type ActionProps, FormDialog } from '../../forms/form.js';
import { textOrNull } from '../../forms/use-form.js';
import { Amount, exactly, formatAmount, readAmount } from '../../parts/amount.js';
import { waitsText } from '../approvals/waits.js';
import { askOfMovement } from '../ledger/questions.js';

const MOVEMENTS = {
  fund: { path: '/transactions/fund-user', action: 'Fund', title: 'Fund', done: 'Funded' },
  withdraw: { path: '/transactions/withdraw', action: 'Withdraw', title: 'Withdraw from', done: 'Withdrew' },
} as const;

export interface MoneyFormProps extends ActionProps {
  readonly movement: keyof typeof MOVEMENTS;
  readonly of: Schemas['User'];
}

/** Money in or out. */
export function MoneyForm({ movement, of: user, ...props }: MoneyFormProps) {
  const { path, action, title, done } = MOVEMENTS[movement];
  const { id, reference, balance, exposure } = user;
  return (
    <FormDialog
      {...props}
      title={`${title} ${reference}`}
      name={`${movement} ${id}`}
      action={action}
      decides
      fields={{
        amount: { label: 'Amount', number: readAmount, isRequired: true },
        description: { label: 'Description', hint: 'Shown on the statement.' },
      }}
      ask={(_values, { amount }) => askOfMovement({ movement, reference, amount })}
      send={({ description }, idempotencyKey, { amount }) => {
        const body = { user_id: id, amount, description: textOrNull(description) };
        return api.post(path, { idempotencyKey, body });
      }}
      done={(answer) =>
        'data' in answer
          ? `${done} ${formatAmount(answer.data.amount)}. The balance is ${formatAmount(answer.data.balance_after)}.`
          : waitsText(answer)
      }
    >
      <p>
        The balance is <Amount value={balance} />, of which <Amount value={exactly(balance - exposure)} /> is available.
      </p>
    </FormDialog>
  );
}
