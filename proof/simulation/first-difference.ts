/**
 * The first place where the core's values differ from the second ledger's; null: they agree. `of the second ledger`: the
 * core's own records, of which the second ledger has only some fields.
 */
export function firstDifference(core: unknown, second: unknown, keys: ComparedKeys = 'all'): string | null {
  const found = compare(core, second, keys);
  if (found === null) return null;
  return `${found.place}: the core has ${inWords(found.core)}, the second ledger ${inWords(found.second)}`;
}

type ComparedKeys = 'all' | 'of the second ledger';

interface Found {
  readonly place: string;
  readonly core: unknown;
  readonly second: unknown;
}

/** Names the place on its way back only: nearly all of the time there is no difference. */
function compare(core: unknown, second: unknown, keys: ComparedKeys): Found | null {
  if (core === second) return null;
  if (Array.isArray(core) && Array.isArray(second)) return compareLists(core, second, keys);
  if (!isComposite(core) || !isComposite(second)) return { place: '', core, second };
  for (const key in keys === 'all' ? core : second) {
    const found = compare(core[key], second[key], keys);
    if (found !== null) return within(key, found);
  }
  for (const key in second) {
    if (!(key in core)) return { place: key, core: undefined, second: second[key] };
  }
  return null;
}

function compareLists(core: readonly unknown[], second: readonly unknown[], keys: ComparedKeys): Found | null {
  const length = Math.max(core.length, second.length);
  for (let index = 0; index < length; index += 1) {
    const found = compare(core[index], second[index], keys);
    if (found !== null) return within(nameOf(core[index] ?? second[index], index), found);
  }
  return null;
}

const within = (name: string, found: Found): Found => ({
  ...found,
  place: found.place === '' ? name : `${name}.${found.place}`,
});

type Composite = Readonly<Record<string, unknown>>;

const isComposite = (value: unknown): value is Composite => typeof value === 'object' && value !== null;

/** Names an item by its id, or by its index when it has no id. */
const nameOf = (value: unknown, index: number): string =>
  isComposite(value) && typeof value.id === 'bigint' ? `${value.id}` : `${index}`;

const inWords = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : JSON.stringify(value, (_, some: unknown) => (typeof some === 'bigint' ? Number(some) : some));
