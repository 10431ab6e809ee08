import { LRUCache } from 'lru-cache';
import { type Database, withTx } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { createLateWrites } from '#platform/process/late-writes.js';
import type { Cause } from './account-event.js';
import { type CausedEvent, insertEvents } from './record-events.js';

/** A read that the account is told of. */
export interface NotedRead {
  readonly accountId: bigint;
  readonly type: 'admin-read' | 'export-downloaded';
  /** What was read: it says so in the event, and is part of its key. */
  readonly after: Readonly<Record<string, string | number>>;
  readonly cause: Cause;
}

export interface NotedReads {
  /** Costs the read a look into a map: the event is written later. */
  note(read: NotedRead): void;
  /** Writes what was noted. */
  close(): Promise<void>;
}

export interface NotedReadsOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly onDropped: (events: number) => void;
  readonly delayMs?: number;
}

const DELAY_MS = 1_000;
const REPEATS_AFTER_MS = 60_000;
const MAX_REMEMBERED = 10_000;
const MAX_WAITING = 5_000;

/**
 * Writes reads as events of the account that was read: one a minute for each account, actor and thing that it read. A process
 * remembers what it has noted; of several processes, a unique key lets the first one write.
 */
export function createNotedReads({ database, logger, onDropped, delayMs = DELAY_MS }: NotedReadsOptions): NotedReads {
  const remembered = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REPEATS_AFTER_MS });
  let waiting = new Map<string, CausedEvent>();
  const late = createLateWrites(delayMs, write);

  async function write(): Promise<void> {
    if (waiting.size === 0) return;
    // In one order for all processes: each waits for a key that another one is writing.
    const taken = new Map([...waiting].sort(([one], [other]) => (one < other ? -1 : 1)));
    waiting = new Map();
    try {
      await withTx(database, (tx) => insertEvents(tx, [...taken.values()]));
    } catch (error) {
      const dropped = Math.max(0, taken.size + waiting.size - MAX_WAITING);
      onDropped(dropped);
      waiting = new Map([...taken, ...waiting].slice(0, MAX_WAITING));
      logger.warn({ reason: String(error), rows: waiting.size, dropped }, 'reads not written: trying again');
      late.soon();
    }
  }

  return {
    note({ accountId, type, after, cause }) {
      const { account_id: actor, api_key_id: apiKey } = cause.actor;
      const once = [type, actor, apiKey, ...Object.values(after)].join(' ');
      const key = `${accountId} ${once}`;
      if (remembered.has(key)) return;
      if (waiting.size >= MAX_WAITING) return onDropped(1);
      remembered.set(key, true);
      waiting.set(key, { accountId, type, after, cause, once });
      late.soon();
    },
    close: () => late.close(),
  };
}
