import { api } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { readAmount, textOfAmount } from '../../parts/amount.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { BOUND_HINT } from '../ledger/questions.js';

function BoundForm({ bound }: { readonly bound: number | undefined }) {
  const form = useForm({
    name: 'set the amount to ask about',
    hasNoKey: true,
    initial: { confirm_amounts_above: bound === undefined ? '' : textOfAmount(bound) },
    numbers: { confirm_amounts_above: readAmount },
    // An empty field has no number.
    send: (_values, _key, { confirm_amounts_above: number }) =>
      api.patch('/auth/account/preferences', { body: { confirm_amounts_above: number ?? null } }),
    onDone: () => announce('Saved'),
  });
  return (
    <FormView form={form} action="Save">
      <TextField
        form={form}
        name="confirm_amounts_above"
        label="Ask again above"
        hint={BOUND_HINT}
        inputMode="decimal"
      />
    </FormView>
  );
}

/** Which amounts the console asks about before it sends them. */
export function Confirmations() {
  const preferences = useResource(() => api.get('/auth/account/preferences'), []);
  return (
    <Section title="Confirmations">
      <Loaded of={preferences}>{({ data }) => <BoundForm bound={data.confirm_amounts_above} />}</Loaded>
    </Section>
  );
}
