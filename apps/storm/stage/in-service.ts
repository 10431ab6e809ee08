import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when a process does its work, seen from outside; looks again and again until then. */
export type InService = (stopping: AbortSignal) => Promise<void>;

const POLL_MS = 50;
const ANSWER_WITHIN_MS = 2_500;

/** It answers, and its database too. */
export function apiInService(port: number): InService {
  return async (stopping) => {
    while ((await textOf(`http://127.0.0.1:${port}/readyz`, stopping)) === undefined) await pause(stopping);
  };
}

export interface WorkerAddress {
  readonly metricsPort: number;
  /** Something to do, for whichever worker takes it first. */
  readonly addJob: () => Promise<unknown>;
}

/** It ends jobs: more than it had ended when it was looked at first. Work is given until it does. */
export function workerInService({ metricsPort, addJob }: WorkerAddress): InService {
  return async (stopping) => {
    let endedBefore: number | undefined;
    for (;;) {
      const page = await textOf(`http://127.0.0.1:${metricsPort}/metrics`, stopping);
      if (page !== undefined) {
        const ended = endedJobsIn(page);
        if (endedBefore !== undefined && ended > endedBefore) return;
        endedBefore = ended;
      }
      await addJob().catch(() => undefined); // with Redis away there is no job to take
      await pause(stopping);
    }
  };
}

const pause = (stopping: AbortSignal) => delay(POLL_MS, undefined, { signal: stopping });

async function textOf(url: string, stopping: AbortSignal): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_WITHIN_MS)]) });
    const text = await answer.text();
    return answer.status === 200 ? text : undefined;
  } catch {
    stopping.throwIfAborted();
    return undefined;
  }
}

function endedJobsIn(page: string): number {
  const counts = page.matchAll(/^ledger_job_duration_seconds_count\{[^}]*end="completed"[^}]*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
