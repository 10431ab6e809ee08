import type { TargetedEvent } from 'preact';
import { useId } from 'preact/hooks';
import type { Choices, FieldOptions, OpenForm } from './use-form.js';

interface SelectProps {
  readonly choices: Choices;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function Select({ choices, onChange, ...attributes }: SelectProps) {
  return (
    <select {...attributes} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {choices.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

export interface FieldProps extends FieldOptions {
  readonly name: string;
  readonly value: string;
  readonly faults?: readonly string[];
  readonly onChange: (value: string) => void;
}

/** The control of a field: a choice, a text, or a text of several lines. */
function Control({ id, described, ...props }: FieldProps & { readonly id: string; readonly described: string }) {
  const { name, value, type = 'text', number, inputMode, autoComplete = 'off', list, choices, onChange } = props;
  const attributes = {
    id,
    name,
    value,
    required: props.isRequired ?? false,
    'aria-invalid': (props.faults ?? []).length > 0,
    'aria-describedby': described || undefined,
  };
  if (choices !== undefined) return <Select {...attributes} choices={choices} onChange={onChange} />;
  const written = {
    ...attributes,
    spellcheck: false,
    onInput: ({ currentTarget }: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(currentTarget.value),
  };
  if (type === 'lines') return <textarea {...written} rows={3} />;
  return (
    <>
      <input
        {...written}
        type={type as 'text'}
        step={type === 'datetime-local' ? 1 : undefined}
        inputMode={number === undefined ? (inputMode ?? 'text') : 'decimal'}
        autoComplete={autoComplete}
        list={list && `${id}-list`}
      />
      {list !== undefined && (
        <datalist id={`${id}-list`}>
          {list.map((item) => (
            <option key={item} value={item} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** The label, the control, the hint and the faults of a field. */
export function Field(props: FieldProps) {
  const { label, hint, faults = [] } = props;
  const id = useId();
  const hintId = `${id}-hint`;
  const faultId = `${id}-fault`;
  const described = [hint !== undefined && hintId, faults.length > 0 && faultId].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Control {...props} id={id} described={described} />
      {hint !== undefined && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
      {faults.length > 0 && (
        <p id={faultId} class="field-fault">
          {faults.join('; ')}
        </p>
      )}
    </div>
  );
}

/** The fields of a form, or those of the given names. */
export function Fields({ form, names }: { readonly form: OpenForm; readonly names?: readonly string[] }) {
  const shown = Object.entries(form.fields).filter(
    ([name, { label }]) => label !== undefined && (names?.includes(name) ?? true),
  );
  return (
    <>
      {shown.map(([name, options]) => (
        <Field
          key={name}
          {...options}
          name={name}
          value={form.values[name] ?? ''}
          faults={form.faults?.atFields[name] ?? []}
          onChange={(value) => form.set(name, value)}
        />
      ))}
    </>
  );
}

export const EMAIL = { label: 'E-mail', type: 'email', autoComplete: 'username', isRequired: true } as const;
export const PASSWORD = {
  label: 'Password',
  type: 'password',
  autoComplete: 'current-password',
  isRequired: true,
} as const;
export const FACTOR_CODE = {
  label: 'Code',
  hint: 'Of your authenticator app, or a recovery code.',
  autoComplete: 'one-time-code',
  isRequired: true,
} as const;
export const NEW_PASSWORD = { ...PASSWORD, label: 'New password', autoComplete: 'new-password' } as const;

/** The password of the account, which may ask for it with whatever gives access to it. */
export const PASSWORD_IF_ASKED = {
  ...PASSWORD,
  label: 'Your password',
  hint: 'Needed only if your account is set to ask for it.',
  isRequired: false,
} as const;
