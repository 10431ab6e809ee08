import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Resource } from '../api/resource.js';
import { Loaded } from './loaded.js';
import { type Cursors, Pager } from './pager.js';

/** A list, and the page of it that is loaded. */
export interface PagedResource<Body> {
  readonly resource: Resource<Body>;
  readonly cursor: Signal<string>;
}

export interface PagedListProps<Item> {
  readonly of: Resource<Cursors & { readonly data: readonly Item[] }>;
  /** The resource is loaded with it, and anew when it changes. */
  readonly cursor: Signal<string>;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

/** A page of a list, with the way to its other pages below. */
export function PagedList<Item>({ of: resource, cursor, children }: PagedListProps<Item>) {
  return (
    <Loaded of={resource}>
      {({ data, next, previous }) => (
        <>
          {children(data)}
          <Pager
            page={{ next, previous }}
            onMove={(to) => {
              cursor.value = to;
            }}
          />
        </>
      )}
    </Loaded>
  );
}
