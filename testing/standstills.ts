import { setTimeout as delay } from 'node:timers/promises';
import type { TestDatabase } from './databases.js';

// Other work of the machine may hold up its processor or its disk for seconds. Tests of time limits count without that.

const TICK_MS = 20;
/** A tick that takes longer is late because the machine stood still. */
const LONGEST_TICK_MS = 150;
const TRIES = 5;

export interface Clock {
  /** The milliseconds of work since its start. */
  now(): number;
  /** The milliseconds that were left out so far. */
  stoodStillMs(): number;
  stop(): Promise<void>;
}

/** Counts a tick by its length, up to a limit. With a database, a tick lasts until a commit is on its disk. */
export function startClock(database?: Pick<TestDatabase, 'query'>): Clock {
  let [worked, left, tickedAt, isOver] = [0, 0, performance.now(), false];
  const workOf = (ms: number) => Math.min(ms, LONGEST_TICK_MS);
  const running = (async () => {
    while (!isOver) {
      await delay(TICK_MS, undefined, { ref: false });
      await database?.query(`SELECT pg_logical_emit_message(true, 'clock', '')`).catch(() => undefined);
      const ms = performance.now() - tickedAt;
      tickedAt += ms;
      worked += workOf(ms);
      left += ms - workOf(ms);
    }
  })();
  return {
    now: () => worked + workOf(performance.now() - tickedAt),
    stoodStillMs: () => left + Math.max(0, performance.now() - tickedAt - LONGEST_TICK_MS),
    async stop() {
      isOver = true;
      await running;
    },
  };
}

/** Runs a scenario again that failed while the machine stood still. A fault fails it each time, and without a standstill at once. */
export async function unlessStandingStill<Result>(
  scenario: (clock: Clock) => Promise<Result>,
  database?: Pick<TestDatabase, 'query'>,
): Promise<Result> {
  for (let left = TRIES - 1; ; left -= 1) {
    const clock = startClock(database);
    try {
      return await scenario(clock);
    } catch (error) {
      if (left === 0 || clock.stoodStillMs() === 0) throw error;
    } finally {
      await clock.stop();
    }
  }
}
