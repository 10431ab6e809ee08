import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { api, type Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { hasEnded } from '../../api/session.js';
import type { LedgerEvent } from '../../live/shared-events.js';
import { usePoll } from '../../parts/poll.js';
import { findPlaceBefore } from '../ledger/event-log.js';
import { useEvents } from '../ledger/seen-account.js';

// No list sums what was matched in a time, but the event log says each match. One request looks at 10,000 events.

const MOST_PAGES = 30;
/** Tried again so much later when it cannot be read. */
const PAUSE_MS = 5_000;

export interface Matched {
  readonly bets: number;
  readonly amount: number;
  /** False: there is more than was read. */
  readonly isWhole: boolean;
}

interface ReadMatches extends Matched {
  /** The last match that is counted. */
  readonly seq: number;
}

const amountOf = ({ bet }: LedgerEvent): number => bet?.effective_amount ?? 0;

async function readMatches(since: Date, signal: AbortSignal): Promise<ReadMatches> {
  let after = await findPlaceBefore(since, signal);
  let read: ReadMatches = { bets: 0, amount: 0, isWhole: true, seq: 0 };
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { types: 'offer.matched', limit: 1_000, ...(after !== undefined && { after }) };
    const { data, next, has_more }: Schemas['EventPage'] = await api.get('/events', {
      params: { query },
      signal,
    });
    const matches = data.filter(({ at }) => new Date(at) >= since);
    read = {
      bets: read.bets + matches.length,
      amount: matches.reduce((sum, event) => sum + amountOf(event), read.amount),
      isWhole: !has_more,
      seq: data.at(-1)?.seq ?? read.seq,
    };
    if (!has_more) return read;
    after = next;
  }
  return read;
}

function midnight(): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate());
}

const NONE = { bets: 0, amount: 0 };
const withEvent = ({ bets, amount }: typeof NONE, event: LedgerEvent) => ({
  bets: bets + 1,
  amount: amount + amountOf(event),
});

/** What was matched since midnight, live; undefined while it is read. */
export function useMatchedToday(): Matched | undefined {
  const since = midnight();
  const { body, error, isLoading, reload } = useResource((signal) => readMatches(since, signal), [since.getTime()]);
  usePoll(error !== undefined && !hasEnded.value, reload, PAUSE_MS);
  const later = useSignal(NONE);
  /** Those that came during a load, which counts the first of them. */
  const recentRef = useRef<LedgerEvent[]>([]);
  useEvents(undefined, {
    event: (event) => {
      if (event.type !== 'offer.matched') return;
      if (isLoading) recentRef.current.push(event);
      later.value = withEvent(later.peek(), event);
    },
    begin: reload,
  });
  useEffect(() => {
    if (body === undefined) return;
    later.value = recentRef.current.filter(({ seq }) => seq > body.seq).reduce(withEvent, NONE);
    recentRef.current = [];
  }, [body]);
  if (body === undefined) return undefined;
  const { bets, amount } = later.value;
  return { bets: body.bets + bets, amount: body.amount + amount, isWhole: body.isWhole };
}
