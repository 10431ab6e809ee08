import type { FirstAnswer, FirstView, Session } from './first-view-data.js';

// What came with the page for its first view. The server of the console has read it while the script was on its way.

let first: Partial<FirstView> = JSON.parse(document.getElementById('first-view')?.textContent || '{}');

export const firstSession = (): Session | undefined => first.session;

export interface Params {
  readonly path?: object;
  readonly query?: object;
}

export function firstAnswer(pattern: string, { path = {}, query = {} }: Params = {}): FirstAnswer | undefined {
  if (first.answers === undefined) return undefined;
  const named = Object.entries(path).reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(value)),
    pattern,
  );
  const search = new URLSearchParams(Object.entries(query)).toString();
  return first.answers[search === '' ? named : `${named}?${search}`];
}

/** When the first answers came. Their script came later. */
export function documentCameMs(): number | undefined {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.responseEnd;
}

/** After the first view, each answer would be an old one. */
export function forgetFirstView(): void {
  first = {};
}
