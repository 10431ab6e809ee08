import { api, type Schemas } from '../../api/api.js';
import { SelectField, TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { readAmount, textOfAmount } from '../../parts/amount.js';
import { Dialog } from '../../parts/dialog.js';
import { BOUND_HINT } from '../ledger/questions.js';

type Account = Schemas['Account'];

const NO_YES = [
  ['false', 'No'],
  ['true', 'Yes'],
] as const;
const ROLES = [
  ['business', 'Business: its own ledger'],
  ['admin', 'Admin: reads every account and makes corrections'],
] as const;

export interface EditTenantProps {
  readonly account: Account;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const BOUND = 'preferences.confirm_amounts_above';

type Before = Pick<Account, 'name' | 'role' | 'preferences'>;

const valuesOf = ({ name, role, preferences: { confirm_amounts_above: bound, ...preferences } }: Before) => ({
  name,
  role: role as string,
  'preferences.allow_negative_balance': String(preferences.allow_negative_balance ?? false),
  'preferences.confirm_keys': String(preferences.confirm_keys ?? false),
  'preferences.confirm_amounts_above': bound === undefined ? '' : textOfAmount(bound),
});

/** What the form changes. A request replaces the preferences, so those without a field stay as they were. */
function changesOf(before: Before, values: ReturnType<typeof valuesOf>, bound: number | undefined) {
  const earlier = valuesOf(before);
  const changed = (['allow_negative_balance', 'confirm_keys', 'confirm_amounts_above'] as const).filter(
    (key) => values[`preferences.${key}`] !== earlier[`preferences.${key}`],
  );
  const valueFor = (key: (typeof changed)[number]) =>
    key === 'confirm_amounts_above' ? bound : values[`preferences.${key}`] === 'true';
  const preferences = Object.fromEntries(changed.map((key) => [key, valueFor(key)]));
  return {
    ...(values.name !== before.name && { name: values.name }),
    ...(values.role !== before.role && { role: values.role as Account['role'] }),
    ...(changed.length > 0 && { preferences: { ...before.preferences, ...preferences } }),
  };
}

/** The name, the role and the preferences of an account. */
export function EditTenant({ account: { id, name, role, preferences }, onClose, onDone }: EditTenantProps) {
  const opened: Before = { name, role, preferences };
  const form = useForm({
    name: `edit the account ${id}`,
    // Among the values, so that another attempt is the same request when the page shows the change already.
    initial: { ...valuesOf(opened), before: JSON.stringify(opened) },
    numbers: { [BOUND]: readAmount },
    send: ({ before, ...values }, idempotencyKey, { [BOUND]: bound }) =>
      api.patch('/admin/accounts/{id}', {
        idempotencyKey,
        params: { path: { id } },
        body: changesOf(JSON.parse(before), values, bound),
      }),
    onDone() {
      announce('Saved');
      onDone();
      onClose();
    },
  });
  return (
    <Dialog title={`Edit ${name}`} onClose={onClose}>
      <FormView form={form} action="Save">
        <TextField form={form} name="name" label="Name" isRequired />
        <SelectField form={form} name="role" label="Role" choices={ROLES} />
        <SelectField
          form={form}
          name="preferences.allow_negative_balance"
          label="Users may have negative balances"
          hint="A setting of the user goes first."
          choices={NO_YES}
        />
        <SelectField
          form={form}
          name="preferences.confirm_keys"
          label="New API keys need the password"
          choices={NO_YES}
        />
        <TextField form={form} name={BOUND} label="Ask again above" hint={BOUND_HINT} inputMode="decimal" />
      </FormView>
    </Dialog>
  );
}
