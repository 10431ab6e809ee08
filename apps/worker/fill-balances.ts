import { setTimeout as pause } from 'node:timers/promises';
import type { BalanceFilling } from '#ledger/balance-filling.js';

export interface FillingSummary {
  readonly filled: number;
  /** `behind`: time was up, the next run goes on. */
  readonly end: 'done' | 'behind';
}

/** Housekeeping and the audit wait for a run: one worker does one job of the queue at a time. */
const SHARE_MS = 40_000;

/** Fills old transactions with the balances after them. The signal ends the run after the step in hand. */
export const createFillBalances =
  (filling: BalanceFilling, signal: AbortSignal, shareMs = SHARE_MS) =>
  async (): Promise<FillingSummary> => {
    const deadline = performance.now() + shareMs;
    let filled = 0;
    while (performance.now() < deadline && !signal.aborted) {
      const startedAt = performance.now();
      const count = await filling.fillNext();
      if (count === undefined) return { filled, end: 'done' };
      filled += count;
      // At most half of the time: the disk and the log of PostgreSQL belong to the ledger first.
      await pause(performance.now() - startedAt);
    }
    return { filled, end: 'behind' };
  };
