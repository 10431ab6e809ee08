import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;

export interface WaitOptions {
  readonly timeoutMs?: number;
}

/** Polls until the answer is neither false nor undefined, and returns it. */
export async function waitFor<Answer>(
  check: () => Answer | Promise<Answer>,
  { timeoutMs = 10_000 }: WaitOptions = {},
): Promise<Exclude<Answer, false | undefined>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await check();
    if (answer !== false && answer !== undefined) return answer as Exclude<Answer, false | undefined>;
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain for: ${check.toString()}`);
    await delay(POLL_MS);
  }
}
