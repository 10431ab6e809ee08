import { api } from '../../api/api.js';
import { readNewestEvents } from '../../live/newest-events.js';
import type { LedgerEvent } from '../../live/shared-events.js';

/** The last event before a moment, found by halving: the numbers have no gap, and the times do not go back. */
export async function findLastEventBefore(moment: Date, signal: AbortSignal): Promise<LedgerEvent | undefined> {
  const { head } = await readNewestEvents({ count: 1, signal });
  let found: LedgerEvent | undefined;
  let low = 0;
  let high = head + 1;
  while (high - low > 1) {
    const seq = low + Math.floor((high - low) / 2);
    const { data } = await api.get('/events/{seq}', { params: { path: { seq } }, signal });
    if (new Date(data.at) < moment) {
      found = data;
      low = seq;
    } else {
      high = seq;
    }
  }
  return found;
}
