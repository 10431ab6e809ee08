import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadMessage, LoadPlan, LoadResult } from './plan.js';

/** A refusal is faster than work: with more of them the figures would not be those of the work. */
const MOST_FAULTS = 0.05;
/** A short load has few answers, among which a few refusals are by chance. */
const SOME_FAULTS = 10;

/** Runs a load in a process of its own, so that it shares no event loop with what it measures. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const child = fork(fileURLToPath(new URL('./main.js', import.meta.url)));
  try {
    const ended = once(child, 'exit').then(() => ({ fault: 'its process has ended' }));
    child.send(plan);
    const message = await Promise.race([once(child, 'message').then(([first]) => first as LoadMessage), ended]);
    if ('fault' in message) throw new Error(`The load failed: ${message.fault}`);
    return checked(plan, message.result);
  } finally {
    child.kill();
  }
}

function checked({ workload, measureMs }: LoadPlan, result: LoadResult): LoadResult {
  const faults = Object.values(result.faults).reduce((sum, count) => sum + count, 0);
  const good = (result.rate * measureMs) / 1_000;
  if (good > 0 && faults <= Math.max(SOME_FAULTS, MOST_FAULTS * good)) return result;
  throw new Error(
    `The load ${workload.kind} had ${Math.round(good)} good answers, and ${JSON.stringify(result.faults)}.`,
  );
}
