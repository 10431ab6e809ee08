import { signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { session } from '../api/session.js';
import { announce } from './alerts.js';
import { addressWith, type Query } from './filters.js';

// Named filters of a list, kept in this browser for each person.

interface View {
  readonly name: string;
  readonly query: Query;
}

const MOST_VIEWS = 20;
const LONGEST_NAME = 40;

const keyOf = (path: string): string => `console:views:${session.peek()?.operator.id}:${path}`;

/** How often views were changed: those that show them look again. */
const changes = signal(0);

function readViews(path: string): readonly View[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(path)) ?? '[]');
  } catch {
    return [];
  }
}

function storeViews(path: string, views: readonly View[]): void {
  localStorage.setItem(keyOf(path), JSON.stringify(views));
  changes.value += 1;
}

/** The place in the list and the account that an admin looks into are no part of a view. */
const viewOf = ({ cursor: _cursor, account: _account, ...query }: Query): Query => query;

const isSame = (one: Query, other: Query): boolean => addressWith('', one) === addressWith('', other);

export interface SavedViewsProps {
  readonly path: string;
  readonly query: Query;
}

export function SavedViewList({ path, query }: SavedViewsProps) {
  const id = useId();
  const name = useSignal('');
  const views = changes.value >= 0 ? readViews(path) : [];
  const present = viewOf(query);
  const save = (event: Event) => {
    event.preventDefault();
    const given = name.value.trim().slice(0, LONGEST_NAME);
    const others = views.filter((view) => view.name !== given);
    if (given === '') return;
    if (others.length >= MOST_VIEWS) return announce(`There are ${MOST_VIEWS} views already: delete one first.`);
    storeViews(path, [...others, { name: given, query: present }]);
    name.value = '';
    announce(`The view “${given}” is saved in this browser.`);
  };
  return (
    <details class="views">
      <summary>Views{views.length > 0 && ` (${views.length})`}</summary>
      <ul class="plain">
        {views.map((view) => (
          <li key={view.name}>
            <a href={addressWith(path, view.query)} aria-current={isSame(view.query, present) ? 'true' : undefined}>
              <bdi>{view.name}</bdi>
            </a>{' '}
            <button
              type="button"
              class="quiet"
              aria-label={`Delete the view ${view.name}`}
              onClick={() =>
                storeViews(
                  path,
                  views.filter((other) => other !== view),
                )
              }
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <form class="row" onSubmit={save}>
        <div class="field">
          <label for={id}>Name of this view</label>
          <input
            id={id}
            value={name.value}
            maxLength={LONGEST_NAME}
            required
            autoComplete="off"
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          />
        </div>
        <button type="submit">Save</button>
      </form>
    </details>
  );
}
