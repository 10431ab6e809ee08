import { setTimeout as delay } from 'node:timers/promises';

/** Polls a process from outside, and resolves when it does its work. */
export type InService = (stopping: AbortSignal) => Promise<void>;

const POLL_MS = 50;
/** Slower: each poll costs the worker database queries and jobs. */
const WORKER_POLL_MS = 100;
const ANSWER_WITHIN_MS = 2_500;

/** In service when `/readyz` says so: the API and its database answer. */
export function apiInService(port: number): InService {
  return async (stopping) => {
    while ((await textOf(`http://127.0.0.1:${port}/readyz`, stopping)) === undefined) await pause(stopping);
  };
}

export interface WorkerAddress {
  readonly metricsPort: number;
  /** Adds a job that either worker may take. */
  readonly addJob: (queue: string) => Promise<unknown>;
}

/**
 * In service when it has completed a job of each of these queues since the first poll. Adds jobs until then, because there
 * may be none.
 */
export function workerInService({ metricsPort, addJob }: WorkerAddress, queues: readonly string[]): InService {
  return async (stopping) => {
    let completedBefore: JobCounts | undefined;
    let missing = queues;
    for (;;) {
      const page = await textOf(`http://127.0.0.1:${metricsPort}/metrics`, stopping);
      if (page !== undefined) {
        const completed = completedJobsIn(page);
        if (completedBefore === undefined || wasRestarted(completed, completedBefore)) completedBefore = completed;
        const before = completedBefore;
        missing = queues.filter((queue) => countOf(completed, queue) <= countOf(before, queue));
        if (missing.length === 0) return;
        await Promise.allSettled(missing.map(addJob)); // fails while Redis is down
      }
      await pause(stopping, WORKER_POLL_MS);
    }
  };
}

/** The number of completed jobs of each queue. */
type JobCounts = ReadonlyMap<string, number>;

const countOf = (counts: JobCounts, queue: string): number => counts.get(queue) ?? 0;

/** The process was restarted: its counters began at 0 again. */
const wasRestarted = (now: JobCounts, before: JobCounts): boolean =>
  [...before].some(([queue, count]) => countOf(now, queue) < count);

const pause = (stopping: AbortSignal, ms = POLL_MS) => delay(ms, undefined, { signal: stopping });

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

function completedJobsIn(page: string): JobCounts {
  const lines = page.matchAll(/^ledger_job_duration_seconds_count\{queue="([^"]*)",end="completed"\} (\d+)$/gm);
  return new Map([...lines].map(([, queue = '', count]) => [queue, Number(count)]));
}
