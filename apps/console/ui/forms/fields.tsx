import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Values } from './pending-form.js';
import type { Form } from './use-form.js';

interface FieldProps<Given extends Values> {
  readonly form: Form<Given>;
  /** The name of the value, which is the path of the field in the request. */
  readonly name: keyof Given & string;
  readonly label: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

interface Labeled {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}

/** The label, the control, the hint and the faults of a field. */
function Field<Given extends Values>({
  form,
  name,
  label,
  hint,
  children,
}: Omit<FieldProps<Given>, 'isRequired'> & { readonly children: (labeled: Labeled) => ComponentChildren }) {
  const id = useId();
  const faults = form.faults?.atFields[name] ?? [];
  const hintId = `${id}-hint`;
  const faultId = `${id}-fault`;
  const describedBy = [hint !== undefined && hintId, faults.length > 0 && faultId].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, describedBy: describedBy || undefined, isInvalid: faults.length > 0 })}
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

export interface TextFieldProps<Given extends Values> extends FieldProps<Given> {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'url';
  /** `decimal` for amounts and odds. */
  readonly inputMode?: 'text' | 'decimal' | 'numeric';
  readonly autoComplete?: string;
  readonly list?: readonly string[];
}

export function TextField<Given extends Values>({ form, name, ...props }: TextFieldProps<Given>) {
  const { type = 'text', inputMode = 'text', autoComplete = 'off', isRequired = false } = props;
  const { list } = props;
  return (
    <Field form={form} name={name} {...props}>
      {({ id, describedBy, isInvalid }) => (
        <>
          <input
            id={id}
            name={name}
            type={type as 'text'}
            inputMode={inputMode}
            autoComplete={autoComplete}
            required={isRequired}
            spellcheck={false}
            value={form.values[name] ?? ''}
            list={list === undefined ? undefined : `${id}-list`}
            aria-invalid={isInvalid}
            aria-describedby={describedBy}
            onInput={({ currentTarget }) => form.set(name, currentTarget.value)}
          />
          {list !== undefined && (
            <datalist id={`${id}-list`}>
              {list.map((item) => (
                <option key={item} value={item} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

export interface SelectFieldProps<Given extends Values> extends FieldProps<Given> {
  /** Values and their texts. */
  readonly choices: readonly (readonly [value: string, text: string])[];
}

export function SelectField<Given extends Values>({ form, name, choices, ...props }: SelectFieldProps<Given>) {
  return (
    <Field form={form} name={name} {...props}>
      {({ id, describedBy, isInvalid }) => (
        <select
          id={id}
          name={name}
          required={props.isRequired ?? false}
          value={form.values[name] ?? ''}
          aria-invalid={isInvalid}
          aria-describedby={describedBy}
          onChange={({ currentTarget }) => form.set(name, currentTarget.value)}
        >
          {choices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export interface TextAreaFieldProps<Given extends Values> extends FieldProps<Given> {
  readonly rows?: number;
}

/** A text of several lines. */
export function TextAreaField<Given extends Values>({ form, name, rows = 3, ...props }: TextAreaFieldProps<Given>) {
  return (
    <Field form={form} name={name} {...props}>
      {({ id, describedBy, isInvalid }) => (
        <textarea
          id={id}
          name={name}
          rows={rows}
          required={props.isRequired ?? false}
          spellcheck={false}
          value={form.values[name] ?? ''}
          aria-invalid={isInvalid}
          aria-describedby={describedBy}
          onInput={({ currentTarget }) => form.set(name, currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** The password of the account, which may ask for it with whatever gives access to it. */
export function PasswordIfAsked<Given extends Values & { readonly password: string }>({
  form,
}: {
  readonly form: Form<Given>;
}) {
  return (
    <TextField
      form={form}
      name="password"
      label="Your password"
      hint="Needed only if your account is set to ask for it."
      type="password"
      autoComplete="current-password"
    />
  );
}
