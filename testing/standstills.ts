import { Worker } from 'node:worker_threads';
import type { TestDatabase } from './databases.js';

// Other work of the machine may hold up its processor or its disk for seconds. Tests of time limits count without that, but
// with the time in which the product itself holds up the process: a thread of its own finds the standstills.

/** A tick that takes longer is late because the machine stood still. */
export const LONGEST_TICK_NS = 150_000_000n;
const TRIES = 5;

export interface Clock {
  /** The milliseconds of work since its start. */
  now(): number;
  /** The milliseconds that were left out so far. */
  stoodStillMs(): number;
  stop(): Promise<void>;
}

/** What the ticker shares with the clocks, in nanoseconds: when it ticked last, and what was left out until then. */
export const [TICKED_AT, LEFT_OUT] = [0, 1];
/** Before the first tick: no tick is late. */
const NEVER = 2n ** 62n;

export interface TickerData {
  readonly cells: BigInt64Array;
  readonly databaseUrl?: string | undefined;
}

interface Ticker {
  stoodStillNs(): bigint;
  stop(): Promise<unknown>;
}

function startTicker(databaseUrl?: string): Ticker {
  const cells = new BigInt64Array(new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)).fill(NEVER, TICKED_AT, 1);
  const workerData: TickerData = { cells, databaseUrl };
  const thread = new Worker(new URL('./standstill-ticker.js', import.meta.url), { workerData, execArgv: [] });
  thread.unref();
  return {
    stoodStillNs() {
      // In this order a tick meanwhile is not counted twice.
      const left = Atomics.load(cells, LEFT_OUT);
      const late = process.hrtime.bigint() - Atomics.load(cells, TICKED_AT) - LONGEST_TICK_NS;
      return left + (late > 0n ? late : 0n);
    },
    stop: () => thread.terminate(),
  };
}

/** All test files of a process share it: it knows nothing but the machine. */
let ticker: Ticker | undefined;

function sharedTicker(): Ticker {
  ticker ??= startTicker();
  return { ...ticker, stop: async () => undefined };
}

const msOf = (ns: bigint) => Number(ns) / 1e6;

/** Counts time without standstills of the processor. With a database, also without those of the disk under it. */
export function startClock(database?: Pick<TestDatabase, 'url'>): Clock {
  const own = database === undefined ? sharedTicker() : startTicker(database.url);
  const [startedAt, leftBefore] = [process.hrtime.bigint(), own.stoodStillNs()];
  const leftNs = () => own.stoodStillNs() - leftBefore;
  return {
    now: () => msOf(process.hrtime.bigint() - startedAt - leftNs()),
    stoodStillMs: () => msOf(leftNs()),
    async stop() {
      await own.stop();
    },
  };
}

/** Runs a scenario again that failed while the machine stood still. A fault fails it each time, and without a standstill at once. */
export async function unlessStandingStill<Result>(
  scenario: (clock: Clock) => Promise<Result>,
  database?: Pick<TestDatabase, 'url'>,
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
