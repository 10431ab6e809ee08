import { setTimeout as pause } from 'node:timers/promises';
import { cancelOfTimer, fireTimers } from '#ledger/cancel-timers.js';
import { endDue, findDueWagers } from '#ledger/clock.js';
import type { UnitOfWork } from '#ledger/unit-of-work.js';
import type { Database } from '#platform/database/database.js';
import { isDatabaseAway } from '#platform/database/errors.js';
import type { Logger } from '#platform/logging/logger.js';

/** What is due is done at most two seconds late: a look, its pause, and the work. */
const LOOK_EVERY_MS = 500;

export interface ClockOptions {
  readonly database: Database;
  readonly work: UnitOfWork;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Ends what time ends: wagers at their `closes_at`, offers at their `expires_at` and when a business's timer fires. Its own timer runs in the process, and PostgreSQL
 * alone says what time it is: no acceptance waits for it, and an emptied Redis cannot stop it.
 */
export function startClock({ database, work, logger, signal }: ClockOptions): { close(): Promise<void> } {
  function report(error: unknown): void {
    logger[isDatabaseAway(error) ? 'warn' : 'error']({ reason: String(error) }, 'the clock stood still: trying again');
  }

  /** They take turns, a chunk each, and one that fails holds up no other. Returns whether something is left. */
  async function takeTurns<Due>(all: readonly Due[], run: (due: Due) => Promise<boolean>): Promise<boolean> {
    let isLeft = false;
    for (const due of all) {
      if (signal.aborted) return false;
      const isDone = await run(due).catch((error) => {
        if (isDatabaseAway(error)) throw error;
        report(error);
        return true;
      });
      isLeft ||= !isDone;
    }
    return isLeft;
  }

  async function look(): Promise<boolean> {
    const areOffersLeft = await takeTurns(await fireTimers(database), (timer) => cancelOfTimer(database, work, timer));
    const areWagersLeft = await takeTurns(await findDueWagers(database), (due) => endDue(work, due));
    return areOffersLeft || areWagersLeft;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const isLeft = await look().catch((error: unknown) => {
        if (!signal.aborted) report(error);
        return false;
      });
      if (!isLeft) await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return { close: () => running };
}
