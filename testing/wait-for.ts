import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, startClock } from './standstills.js';

const POLL_MS = 25;

export interface WaitOptions {
  /** Without the time in which the machine stood still. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
  readonly pollMs?: number;
}

/** Polls until the answer is neither false nor undefined, and returns it. */
export async function waitFor<Answer>(
  check: () => Answer | Promise<Answer>,
  { timeoutMs = 30_000, clock: given, pollMs = POLL_MS }: WaitOptions = {},
): Promise<Exclude<Answer, false | undefined>> {
  const clock = given ?? startClock();
  const deadline = clock.now() + timeoutMs;
  try {
    for (;;) {
      // The last check begins after the deadline.
      const isLast = clock.now() > deadline;
      const answer = await check();
      if (answer !== false && answer !== undefined) return answer as Exclude<Answer, false | undefined>;
      if (isLast) throw new Error(`Waited ${timeoutMs} ms in vain for: ${check.toString()}`);
      await delay(pollMs);
    }
  } finally {
    if (given === undefined) void clock.stop();
  }
}
