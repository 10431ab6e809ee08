import type { FirstAnswer, FirstView, Session } from './first-view-data.js';

// What came with the page for its first view. The server of the console has read it while the script was on its way.

let first: Partial<FirstView> = JSON.parse(document.getElementById('first-view')?.textContent || '{}');

export const firstSession = (): Session | undefined => first.session;

export function firstAnswer(path: string, query: object = {}): FirstAnswer | undefined {
  const search = new URLSearchParams(Object.entries(query)).toString();
  return first.answers?.[search === '' ? path : `${path}?${search}`];
}

/** After the first view, each answer would be an old one. */
export function forgetFirstView(): void {
  first = {};
}
