import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '#tools/shared/seeded-random.js';
import type { FollowedLog, StormAccount } from '../history.js';

// Readers that follow the event log of an account through the storm, each by the last cursor it got.

/** Whose log is read, and its credential. */
export interface LogOwner {
  readonly account: Pick<StormAccount, 'id' | 'name'>;
  readonly token: string;
}

export interface LogReading {
  readonly known: LogOwner;
  readonly apiUrls: readonly string[];
  readonly way: 'poll' | 'wait';
  /** Chooses the API of each request. */
  readonly chance: SeededRandom;
  /** Aborted when nothing more is sent to the APIs: the reader then reads to the end of the log. */
  readonly over: AbortSignal;
}

interface Page {
  readonly data: readonly { readonly cursor: string }[];
  readonly next: string;
  readonly has_more: boolean;
}

const queries = { poll: 'limit=20', wait: 'limit=200&wait_ms=2000' } as const;
/** Before a reader that does not wait looks for more, and after a request without an answer. */
const REST_MS = 100;
/** Longer than the time that a request waits on purpose. */
const TRY_MS = 12_000;
/** No faults are left when the clients have ended. */
const PATIENCE_MS = 60_000;

const rests = (way: LogReading['way'], answer: Page | undefined): boolean =>
  answer === undefined || (way === 'poll' && !answer.has_more);

export async function followLog({ known, apiUrls, way, chance, over }: LogReading): Promise<FollowedLog> {
  const cursors: string[] = [];
  const log = { accountId: known.account.id, name: known.account.name, way, cursors };
  let after = '';
  let endsAt = Number.POSITIVE_INFINITY;
  while (performance.now() < endsAt) {
    const isLast = over.aborted;
    if (isLast && endsAt === Number.POSITIVE_INFINITY) endsAt = performance.now() + PATIENCE_MS;
    const apiUrl = apiUrls[chance.below(apiUrls.length)];
    const answer = await read(`${apiUrl}/events?${queries[way]}${after}`, known.token);
    if (typeof answer === 'string') return { ...log, refusal: answer };
    if (answer !== undefined) {
      cursors.push(...answer.data.map(({ cursor }) => cursor));
      after = `&after=${answer.next}`;
      if (isLast && !answer.has_more) return log;
    }
    if (rests(way, answer)) await delay(REST_MS);
  }
  return { ...log, refusal: 'no answer in time' };
}

/** Whether another try may be answered: after 408, the API has not read the request. */
export const mayPass = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** Undefined: another try may be answered. A text: the log was refused. */
async function read(url: string, token: string): Promise<Page | string | undefined> {
  try {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TRY_MS) });
    const text = await response.text();
    if (mayPass(response.status)) return undefined;
    return response.status === 200 ? (JSON.parse(text) as Page) : `${response.status} ${text}`;
  } catch {
    return undefined;
  }
}
