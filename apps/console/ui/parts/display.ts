import { effect, signal } from '@preact/signals';

// How this browser shows the console: in which time zone, and how close its lines are.

export const ZONES = [
  ['local', 'Of this computer'],
  ['utc', 'UTC'],
] as const;
export const DENSITIES = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
] as const;

const OPEN_OR_NOT = [
  ['closed', 'Closed'],
  ['open', 'Open'],
] as const;

/** None in tests without a browser. */
const page = typeof document === 'undefined' ? undefined : document;
const store = page && localStorage;

/** A choice that the browser remembers; the first one unless it does. */
function remembered<const Value extends string>(key: string, choices: readonly (readonly [Value, string])[]) {
  const stored = store?.getItem(key);
  const [first] = choices;
  const found = choices.find(([value]) => value === stored) ?? first;
  const chosen = signal(found?.[0] as Value);
  effect(() => store?.setItem(key, chosen.value));
  return chosen;
}

export const zone = remembered('console:zone', ZONES);
export const density = remembered('console:density', DENSITIES);
/** Whether pages show the figures by hour. */
export const byHour = remembered('console:by-hour', OPEN_OR_NOT);

effect(() => {
  page?.documentElement.setAttribute('data-density', density.value);
});
