import { api, LedgerError, type Schemas } from '../../api/api.js';

// Finds places in the event log by the numbers of its events: those have no gap, and their times do not go back.

type LedgerEvent = Schemas['Event'];

const NOT_FOUND = 404;

async function readEvent(seq: number): Promise<LedgerEvent | undefined> {
  try {
    return (await api.get('/events/{seq}', { params: { path: { seq } } })).data;
  } catch (error) {
    if (error instanceof LedgerError && error.status === NOT_FOUND) return undefined;
    throw error;
  }
}

/** Whether the searched place is behind an event; undefined: behind the end of the log. */
type IsBefore = (event: LedgerEvent | undefined) => boolean;

/** The last event that is before the searched place: in steps that double, then halve. */
async function lastBefore(isBefore: IsBefore, from: number): Promise<LedgerEvent | undefined> {
  let found: LedgerEvent | undefined;
  let low = 0;
  let high = from;
  for (;;) {
    const event = await readEvent(high);
    if (!isBefore(event)) break;
    found = event;
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    const event = await readEvent(middle);
    if (isBefore(event)) {
      found = event;
      low = middle;
    } else {
      high = middle;
    }
  }
  return found;
}

/** The newest event; undefined: there is none. */
export const findNewestEvent = (from = 1) => lastBefore((event) => event !== undefined, from);

/** The last event before a moment. */
export const findLastEventBefore = (moment: Date) =>
  lastBefore((event) => event !== undefined && new Date(event.at) < moment, 1);

/** The newest events, the newest first. */
export async function readNewestEvents(count: number): Promise<readonly LedgerEvent[]> {
  const newest = await findNewestEvent();
  if (newest === undefined) return [];
  const before = newest.seq > count ? await readEvent(newest.seq - count) : undefined;
  const query = { limit: count, ...(before !== undefined && { after: before.cursor }) };
  const { data } = await api.get('/events', { params: { query } });
  return data.toReversed();
}
