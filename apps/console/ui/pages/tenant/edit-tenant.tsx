import { api, type Schemas } from '../../api/api.js';
import { type ActionProps, FormDialog } from '../../forms/form.js';
import type { ValuesOf } from '../../forms/use-form.js';
import { boundField } from '../ledger/questions.js';

type Account = Schemas['Account'];

const NO_YES = [
  ['false', 'No'],
  ['true', 'Yes'],
] as const;
const ROLES = [
  ['business', 'Business: its own ledger'],
  ['admin', 'Admin: reads every account and makes corrections'],
] as const;

type Before = Pick<Account, 'name' | 'role' | 'preferences'>;

const fieldsOf = (before: Before) => {
  const { name, role, preferences } = before;
  return {
    name: { label: 'Name', value: name, isRequired: true },
    role: { label: 'Role', value: role, choices: ROLES },
    'preferences.allow_negative_balance': {
      label: 'Users may have negative balances',
      hint: 'A setting of the user goes first.',
      value: String(preferences.allow_negative_balance ?? false),
      choices: NO_YES,
    },
    'preferences.confirm_keys': {
      label: 'New API keys need the password',
      value: String(preferences.confirm_keys ?? false),
      choices: NO_YES,
    },
    'preferences.confirm_amounts_above': boundField(preferences.confirm_amounts_above),
    // Among the values, so that another attempt is the same request when the page shows the change already.
    before: { value: JSON.stringify(before) },
  };
};

/** What the form changes. A request replaces the preferences, so those without a field stay as they were. */
function changesOf(values: ValuesOf<ReturnType<typeof fieldsOf>>, bound: number | undefined) {
  const before: Before = JSON.parse(values.before);
  const earlier = fieldsOf(before);
  const changed = (['allow_negative_balance', 'confirm_keys', 'confirm_amounts_above'] as const).filter(
    (key) => values[`preferences.${key}`] !== earlier[`preferences.${key}`].value,
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
export const EditTenant = ({ of: account, ...props }: ActionProps & { readonly of: Account }) => (
  <FormDialog
    {...props}
    title={`Edit ${account.name}`}
    name={`edit the account ${account.id}`}
    action="Save"
    fields={fieldsOf({ name: account.name, role: account.role, preferences: account.preferences })}
    send={(values, idempotencyKey, { 'preferences.confirm_amounts_above': bound }) =>
      api.patch('/admin/accounts/{id}', {
        idempotencyKey,
        params: { path: { id: account.id } },
        body: changesOf(values, bound),
      })
    }
    done="Saved"
  />
);
