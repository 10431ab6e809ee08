import { LRUCache } from 'lru-cache';
import { type Database, withTx } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { createLateWrites } from '#platform/process/late-writes.js';
import type { OnQuotaRefused } from '#platform/quotas/quota-use.js';
import type { Cause } from './account-event.js';
import { type CausedEvent, insertEvents } from './record-events.js';

/** An account is told of the same thing once in so many seconds. */
const REPEATS_AFTER_SECONDS = { 'admin-read': 60, 'export-downloaded': 60, 'quota-refused': 3_600 } as const;

/** An account event that is noted now and written later. */
export interface NotedEvent {
  readonly accountId: bigint;
  readonly type: keyof typeof REPEATS_AFTER_SECONDS;
  /** What it is about: it says so in the event, and is part of its key. */
  readonly after: Readonly<Record<string, string | number>>;
  readonly cause: Cause;
}

export interface NotedEvents {
  /** Costs a look into a map: the event is written later. */
  note(event: NotedEvent): void;
  /** Writes what was noted. */
  close(): Promise<void>;
}

export interface NotedEventsOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly onDropped: (events: number) => void;
  readonly delayMs?: number;
}

const DELAY_MS = 1_000;
const MAX_REMEMBERED = 10_000;
const MAX_WAITING = 5_000;

/**
 * Writes one event in a minute or an hour for each account, actor and thing that it is about. A process remembers what it has noted;
 * of several processes, a unique key lets the first one write.
 */
export function createNotedEvents({
  database,
  logger,
  onDropped,
  delayMs = DELAY_MS,
}: NotedEventsOptions): NotedEvents {
  const remembered = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  let waiting = new Map<string, CausedEvent>();
  const late = createLateWrites(delayMs, write);

  async function write(): Promise<void> {
    if (waiting.size === 0) return;
    // In one order for all processes: each waits for a key that another one is writing.
    const taken = new Map([...waiting].sort(([one], [other]) => (one < other ? -1 : 1)));
    waiting = new Map();
    try {
      await withTx(database.shared, (tx) => insertEvents(tx, [...taken.values()]));
    } catch (error) {
      const dropped = Math.max(0, taken.size + waiting.size - MAX_WAITING);
      onDropped(dropped);
      waiting = new Map([...taken, ...waiting].slice(0, MAX_WAITING));
      logger.warn({ reason: String(error), rows: waiting.size, dropped }, 'noted events not written: trying again');
      late.soon();
    }
  }

  return {
    note({ accountId, type, after, cause }) {
      const { account_id: actor, api_key_id: apiKey, operator_id: operator } = cause.actor;
      const once = [type, actor, apiKey, operator, ...Object.values(after)].join(' ');
      const key = `${accountId} ${once}`;
      if (remembered.has(key)) return;
      if (waiting.size >= MAX_WAITING) return onDropped(1);
      const seconds = REPEATS_AFTER_SECONDS[type];
      remembered.set(key, true, { ttl: seconds * 1_000 });
      waiting.set(key, { accountId, type, after, cause, at: performance.now(), once: { key: once, seconds } });
      late.soon();
    },
    close: () => late.close(),
  };
}

/** Counts events that stay unwritten, because too many waited for PostgreSQL. */
export function addAccountEventMetrics({ counter }: Metrics): (events: number) => void {
  const dropped = counter({
    name: 'ledger_account_events_dropped_total',
    help: 'Wrong logins, reads and refusals at quotas that are in no account event: too many waited for PostgreSQL',
  });
  return (events) => dropped.inc(events);
}

/** The actor is the account whose request or export was refused: a quota does not know its credential. */
const causeOfAccount = (accountId: bigint): Cause => ({
  actor: { type: 'account', account_id: Number(accountId), api_key_id: null, operator_id: null, name: null },
  address: null,
  requestId: null,
});

/** Counts each refusal, and tells its account. */
export const tellingOfRefusals =
  (count: OnQuotaRefused, notedEvents: Pick<NotedEvents, 'note'>): OnQuotaRefused =>
  (quota, accountId) => {
    count(quota, accountId);
    if (accountId === undefined) return;
    notedEvents.note({ accountId, type: 'quota-refused', after: { quota }, cause: causeOfAccount(accountId) });
  };
