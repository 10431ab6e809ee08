import { setTimeout as pause } from 'node:timers/promises';
import { findUnindexed, indexNextBlocks } from '#events/event-index.js';
import type { Database } from '#platform/database/database.js';
import { CommitUnknown, isDatabaseAway } from '#platform/database/errors.js';
import type { Logger } from '#platform/logging/logger.js';

const LOOK_EVERY_MS = 1_000;
/** Requests and settlements need the processor more than a search does, which reads events that are not indexed too. */
const PAUSE_RATIO = 5;

export interface EventIndexingOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Keeps the indexes of event logs close behind them. Its timer runs in the process: nothing of it is in Redis. Of several workers each
 * takes the accounts that no other one has at that moment.
 */
export function startEventIndexing({ database, logger, signal }: EventIndexingOptions): { close(): Promise<void> } {
  /** Of each account, since the last look that came to its end. */
  const failures = new Map<bigint, number>();

  function report(error: unknown): void {
    const line = { reason: String(error), ...(error instanceof CommitUnknown && { cause: String(error.cause) }) };
    logger[isDatabaseAway(error) ? 'warn' : 'error'](line, 'events were not indexed: trying again');
  }

  /**
   * The accounts take turns, the furthest behind last: its turn and the pause after it may be long. An account that fails gets
   * one small block a turn until a look has come to its end, because a larger part of its log may be what fails, or what
   * takes too long. One that fails again holds up no other account.
   */
  async function look(): Promise<void> {
    const fail = (accountId: bigint, error: unknown): boolean => {
      failures.set(accountId, (failures.get(accountId) ?? 0) + 1);
      if (isDatabaseAway(error)) throw error;
      report(error);
      return failures.get(accountId) === 1;
    };
    for (let isBusy = true; isBusy; ) {
      isBusy = false;
      for (const accountId of (await findUnindexed(database)).toReversed()) {
        const beganAt = performance.now();
        const turn = indexNextBlocks(database, accountId, failures.has(accountId));
        const indexing = turn.catch((error) => fail(accountId, error));
        isBusy = (await indexing) || isBusy;
        await pause(PAUSE_RATIO * (performance.now() - beganAt), undefined, { signal });
      }
    }
    failures.clear();
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await look().catch((error: unknown) => {
        if (!signal.aborted) report(error);
      });
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return { close: () => running };
}
