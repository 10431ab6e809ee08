import { setTimeout as pause } from 'node:timers/promises';
import { findDueRequests } from '#approvals/change-request-rows.js';
import { expireChangeRequest } from '#approvals/decide-request.js';
import { cancelOfTimer, findFired, fireTimers } from '#ledger/cancel-timers.js';
import { type DueWager, endDue, findDueOfSandboxes, findDueWagers } from '#ledger/clock.js';
import type { UnitOfWork } from '#ledger/unit-of-work.js';
import type { Database } from '#platform/database/database.js';
import { isDatabaseAway } from '#platform/database/errors.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Logger } from '#platform/logging/logger.js';

const LOOK_EVERY_MS = 500;
/** Transactions of each kind of look. */
const AT_ONCE = 4;

/** Whether a look meets a wager for the first time. */
function createIsNew(): (due: DueWager) => boolean {
  const met = new Set<string>();
  return ({ accountId, wagerId }) => {
    const before = met.size;
    return met.add(`${accountId} ${wagerId}`).size > before;
  };
}

export interface ClockOptions {
  readonly database: Database;
  readonly work: UnitOfWork;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Ends what time ends, at most two seconds late: wagers at their `closes_at`, offers at their `expires_at` and when a business's
 * timer fires, change requests; those of sandboxes by their own clocks. It looks, pauses and looks again, and PostgreSQL alone says what time it is: no acceptance waits for it, and an
 * emptied Redis cannot stop it.
 */
export function startClock({ database, work, logger, signal }: ClockOptions): { close(): Promise<void> } {
  function report(error: unknown): void {
    logger[isDatabaseAway(error) ? 'warn' : 'error']({ reason: String(error) }, 'the clock stood still: trying again');
  }

  /** They take turns, a chunk each, and one that fails or waits for a lock holds up no other. Returns whether something is left. */
  async function takeTurns<Due>(all: readonly Due[], run: (due: Due) => Promise<boolean>): Promise<boolean> {
    let isLeft = false;
    const queue = all.values();
    async function takeFromQueue(): Promise<void> {
      for (const due of queue) {
        if (signal.aborted) return;
        const isDone = await run(due).catch((error) => {
          if (isDatabaseAway(error)) throw error;
          // A sandbox that is being deleted has no clock any more.
          if (!(error instanceof Refusal)) report(error);
          return true;
        });
        isLeft ||= !isDone;
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, takeFromQueue));
    return isLeft;
  }

  /** All pages: a second worker may end what this one has found. */
  async function endOffersAndWagers(): Promise<boolean> {
    let isLeft = false;
    const isNew = createIsNew();
    for (let page = await findDueWagers(database); ; page = await findDueWagers(database, page.last)) {
      const isLeftOfPage = await takeTurns(page.wagers.filter(isNew), (due) => endDue(work, due));
      isLeft ||= isLeftOfPage;
      if (signal.aborted || page.last === undefined) return isLeft;
    }
  }

  const endOfSandboxes = async () => takeTurns(await findDueOfSandboxes(database), (due) => endDue(work, due));
  const expireRequests = async () =>
    takeTurns(await findDueRequests(database), (key) => expireChangeRequest({ database, work }, key).then(() => true));
  const cancelFired = async () => takeTurns(await findFired(database), (timer) => cancelOfTimer(database, work, timer));

  /** `look` returns whether something is left. */
  async function repeat(look: () => Promise<boolean>): Promise<void> {
    while (!signal.aborted) {
      const isLeft = await look().catch((error: unknown) => {
        if (!signal.aborted) report(error);
        return false;
      });
      if (!isLeft) await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  // Side by side: a timer does not wait until many offers of others have ended.
  const running = Promise.all([
    repeat(() => fireTimers(database).then(() => false)),
    repeat(cancelFired),
    repeat(endOffersAndWagers),
    repeat(endOfSandboxes),
    repeat(expireRequests),
  ]);
  return { close: () => running.then(() => undefined) };
}
