import { useRef } from 'preact/hooks';
import { api, atPosition, LedgerError, type Schemas } from '../../api/api.js';
import { type Resource, useResource } from '../../api/resource.js';
import type { LedgerEvent } from '../../live/shared-events.js';
import { findPlaceBefore } from '../ledger/event-log.js';

// No list sums what was matched in a time, but the event log says each match. One request looks at 10,000 events, and each
// load goes on where the one before has ended.

const MOST_PAGES = 30;
const TYPE = 'offer.matched';
const CONFLICT = 409;

export interface Matched {
  readonly bets: number;
  readonly amount: number;
  /** False: there is more than was read. */
  readonly isWhole: boolean;
}

interface ReadMatches extends Matched {
  readonly since: Date;
  /** Up to here they are counted; undefined: nothing is in the log. */
  readonly cursor: string | undefined;
}

const amountOf = ({ bet }: LedgerEvent): number => bet?.effective_amount ?? 0;

async function readFrom(begun: ReadMatches, signal: AbortSignal): Promise<ReadMatches> {
  let read = begun;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { types: TYPE, limit: 1_000, ...(read.cursor !== undefined && { after: read.cursor }) };
    const { data, next, has_more }: Schemas['EventPage'] = await api.get('/events', { params: { query }, signal });
    const matches = data.filter(({ at }) => new Date(at) >= begun.since);
    read = {
      since: begun.since,
      bets: read.bets + matches.length,
      amount: matches.reduce((sum, event) => sum + amountOf(event), read.amount),
      isWhole: !has_more,
      cursor: next,
    };
    if (!has_more) break;
  }
  return read;
}

function midnight(): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate());
}

/** What was matched since midnight. */
export function useMatchedToday(pauseMs: number): Resource<Matched> {
  const readRef = useRef<ReadMatches | undefined>(undefined);
  const since = midnight();
  const load = async (signal: AbortSignal): Promise<Matched> => {
    try {
      const known = readRef.current?.since.getTime() === since.getTime() ? readRef.current : undefined;
      const cursor = known?.cursor ?? (await findPlaceBefore(since, signal));
      const read = await readFrom(known ?? { since, bets: 0, amount: 0, isWhole: true, cursor }, signal);
      readRef.current = read;
      return atPosition({ ...read }, read.isWhole ? read.cursor : undefined);
    } catch (error) {
      // History was restored: what was counted may not have happened.
      if (error instanceof LedgerError && error.status === CONFLICT) readRef.current = undefined;
      throw error;
    }
  };
  return useResource(load, [since.getTime()], { types: [TYPE], changedBy: () => true, pauseMs });
}
