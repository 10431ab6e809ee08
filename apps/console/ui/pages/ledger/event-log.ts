import { api } from '../../api/api.js';
import { readHeadNumber } from '../../live/log-head.js';

/** A request with filters looks through so many events, so a place is near enough when it is no further away. */
const NEAR = 10_000;

/**
 * A place in the log before a moment, and near the first event after it; undefined: the beginning. It is found by halving:
 * the numbers have no gap, and the times do not go back.
 */
export async function findPlaceBefore(moment: Date, signal: AbortSignal): Promise<string | undefined> {
  const head = await readHeadNumber();
  let found: string | undefined;
  let low = 0;
  let high = head + 1;
  while (high - low > NEAR) {
    const seq = low + Math.floor((high - low) / 2);
    const { data } = await api.get('/events/{seq}', { params: { path: { seq } }, signal });
    if (new Date(data.at) < moment) {
      found = data.cursor;
      low = seq;
    } else {
      high = seq;
    }
  }
  return found;
}
