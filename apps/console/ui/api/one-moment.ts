import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, type Moment } from './api.js';
import type { Resource } from './resource.js';

// A page of several answers shows one moment only when they agree. Their positions in the event log differ as soon as
// anything happens in the account, so a page asks whether anything happened between them to what it shows.

/** What a page shows, as a filter of events. */
export interface Subject {
  readonly user_id?: number;
  /** For admins who look into another account. */
  readonly account_id?: number;
}

async function isUnchangedSince(after: string, subject: Subject, signal: AbortSignal | undefined): Promise<boolean> {
  const query = { ...subject, after, limit: 1 };
  const { data, has_more } = await api.get('/events', { params: { query }, ...(signal && { signal }) });
  return data.length === 0 && !has_more;
}

/** Whether answers with these positions show the same state of the subject. */
async function isOneMoment(
  positions: readonly (string | undefined)[],
  subject: Subject,
  signal?: AbortSignal,
): Promise<boolean> {
  const different = [...new Set(positions)];
  if (different.length === 1) return true;
  const unchanged = different.map((after) => after !== undefined && isUnchangedSince(after, subject, signal));
  return (await Promise.all(unchanged)).every(Boolean);
}

/** The moment of which all the resources are. While they differ there is none, and they are loaded again. */
export function useOneMoment(resources: readonly Resource<object>[], subject: Subject): Moment | undefined {
  const agreed = useSignal<string | undefined>(undefined);
  const positions = resources.map(({ moment }) => moment?.asOf);
  const wanted = JSON.stringify([subject, positions]);
  const isLoaded = resources.every(
    ({ moment, isLoading, error }) => moment !== undefined && !isLoading && error === undefined,
  );
  useEffect(() => {
    if (!isLoaded || agreed.peek() === wanted) return undefined;
    const abort = new AbortController();
    const decide = (isOne: boolean) => {
      if (abort.signal.aborted) return;
      if (isOne) agreed.value = wanted;
      else for (const { reload } of resources) reload();
    };
    isOneMoment(positions, subject, abort.signal).then(decide, () => decide(false));
    return () => abort.abort();
  }, [wanted, isLoaded]);
  if (agreed.value !== wanted) return undefined;
  const moments = resources.flatMap(({ moment }) => moment ?? []);
  return moments.reduce<Moment | undefined>((last, moment) => (last && last.at > moment.at ? last : moment), undefined);
}
