import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { Field } from '../forms/fields.js';
import type { FieldOptions } from '../forms/use-form.js';
import { route } from '../shell/router.js';

export type Query = Readonly<Record<string, string>>;

export interface Filter extends FieldOptions {
  /** The name in the query of the address. */
  readonly name: string;
}

/** An address with a query, without what is empty. */
export function addressWith(path: string, query: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Goes to another page of a list. */
export const moveTo = (path: string, query: Query) => (cursor: string) =>
  route(addressWith(path, { ...query, cursor }));

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
          <Field
            key={filter.name}
            {...filter}
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
