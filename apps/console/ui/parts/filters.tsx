import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect } from 'preact/hooks';
import { route } from '../shell/router.js';

export type Query = Readonly<Record<string, string>>;

export interface Filter {
  /** The name in the query of the address. */
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'search' | 'date';
  /** Values and their texts; without them, any text. */
  readonly choices?: readonly (readonly [value: string, text: string])[];
}

/** An address with a query, without what is empty. */
export function addressWith(path: string, query: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Goes to another page of a list. */
export const moveTo = (path: string, query: Query) => (cursor: string) =>
  route(addressWith(path, { ...query, cursor }));

interface ControlProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Control({ filter: { name, label, type = 'text', choices }, value, onChange }: ControlProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {choices === undefined ? (
        <input
          id={id}
          name={name}
          type={type as 'text'}
          autoComplete="off"
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <select id={id} name={name} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

export interface FiltersProps {
  readonly path: string;
  readonly query: Query;
  readonly filters: readonly Filter[];
  readonly action?: string;
}

/** The filters of a list. They stand in the address, so a reload and the browser's back button keep them. */
export function Filters({ path, query, filters, action = 'Apply' }: FiltersProps) {
  const draft = useSignal<Query>(query);
  useLayoutEffect(() => {
    draft.value = query;
  }, [JSON.stringify(query)]);
  const onSubmit = (event: Event) => {
    event.preventDefault();
    const { cursor: _cursor, ...wanted } = { ...query, ...draft.value };
    route(addressWith(path, wanted));
  };
  return (
    <search>
      <form class="row" onSubmit={onSubmit}>
        {filters.map((filter) => (
          <Control
            key={filter.name}
            filter={filter}
            value={draft.value[filter.name] ?? ''}
            onChange={(value) => {
              draft.value = { ...draft.value, [filter.name]: value };
            }}
          />
        ))}
        <button type="submit">{action}</button>
      </form>
    </search>
  );
}
