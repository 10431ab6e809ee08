import { api } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { Form } from '../../forms/form.js';
import { announce } from '../../parts/alerts.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { boundField } from '../ledger/questions.js';

const BoundForm = ({ bound }: { readonly bound: number | undefined }) => (
  <Form
    name="set the amount to ask about"
    hasNoKey
    action="Save"
    least="owner"
    fields={{ confirm_amounts_above: boundField(bound) }}
    // An empty field has no number.
    send={(_values, _key, { confirm_amounts_above: number }) =>
      api.patch('/auth/account/preferences', { body: { confirm_amounts_above: number ?? null } })
    }
    onDone={() => announce('Saved')}
  />
);

/** Which amounts the console asks about before it sends them. */
export function Confirmations() {
  const preferences = useResource(({ get }) => get('/auth/account/preferences'), []);
  return (
    <Section title="Confirmations">
      <Loaded of={preferences}>{({ data }) => <BoundForm bound={data.confirm_amounts_above} />}</Loaded>
    </Section>
  );
}
