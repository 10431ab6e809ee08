import { api } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { formatAmount, readAmount } from '../../parts/amount.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { USUAL_BOUND } from '../ledger/questions.js';

function BoundForm({ bound }: { readonly bound: number }) {
  const form = useForm({
    name: 'set the amount to ask about',
    hasNoKey: true,
    initial: { confirm_amounts_above: formatAmount(bound) },
    numbers: { confirm_amounts_above: readAmount },
    send: (_values, _key, numbers) => api.patch('/auth/account/preferences', { body: numbers }),
    onDone: () => announce('Saved'),
  });
  return (
    <FormView form={form} action="Save">
      <TextField
        form={form}
        name="confirm_amounts_above"
        label="Ask again above"
        hint="The console asks once more before it sends an amount above this."
        inputMode="decimal"
        isRequired
      />
    </FormView>
  );
}

/** Which amounts the console asks about before it sends them. */
export function Confirmations() {
  const preferences = useResource(() => api.get('/auth/account/preferences'), []);
  return (
    <Section title="Confirmations">
      <Loaded of={preferences}>{({ data }) => <BoundForm bound={data.confirm_amounts_above ?? USUAL_BOUND} />}</Loaded>
    </Section>
  );
}
