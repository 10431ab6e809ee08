import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { address, route } from '../../shell/router.js';

export interface FilterFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
}

export function FilterText({ name, label, value, type = 'search' }: FilterFieldProps & { readonly type?: string }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} name={name} type={type as 'text'} defaultValue={value ?? ''} spellcheck={false} />
    </div>
  );
}

export interface FilterSelectProps extends FilterFieldProps {
  readonly choices: readonly (readonly [value: string, text: string])[];
}

export function FilterSelect({ name, label, value, choices }: FilterSelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} value={value ?? ''}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The address with other filters, on the first page of the list. Empty filters are left out. */
function withFilters(form: HTMLFormElement): string {
  const { pathname, searchParams } = new URL(address.peek(), location.origin);
  const query = new URLSearchParams();
  const account = searchParams.get('account');
  if (account !== null) query.set('account', account);
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim() !== '') query.set(name, value.trim());
  }
  const text = query.toString();
  return text === '' ? pathname : `${pathname}?${text}`;
}

/** Filters of a list stand in the address, so a reload and the way back show the same list. */
export function FilterForm({ children }: { readonly children: ComponentChildren }) {
  const apply = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    route(withFilters(event.currentTarget));
  };
  return (
    <search>
      {/* A change of the address from elsewhere, such as the way back, fills the fields anew. */}
      <form key={address.value} class="row" onSubmit={apply}>
        {children}
        <button type="submit">Show</button>
      </form>
    </search>
  );
}

/** Goes to another page of the list. */
export function moveTo(cursor: string): void {
  const url = new URL(address.peek(), location.origin);
  url.searchParams.set('cursor', cursor);
  route(url.pathname + url.search);
}
