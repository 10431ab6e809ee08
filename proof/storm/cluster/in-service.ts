import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when a process does its work, seen from outside; looks again and again until then. */
export type InService = (stopping: AbortSignal) => Promise<void>;

const POLL_MS = 50;
/** Each look costs it questions to the database, and jobs. */
const WORKER_POLL_MS = 100;
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
  readonly addJob: (queue: string) => Promise<unknown>;
}

/**
 * It ends jobs of each of these queues: more than it had ended when it was looked at first. From when it answers, work is
 * given until it does.
 */
export function workerInService({ metricsPort, addJob }: WorkerAddress, queues: readonly string[]): InService {
  return async (stopping) => {
    let endedBefore: JobCounts | undefined;
    let missing = queues;
    for (;;) {
      const page = await textOf(`http://127.0.0.1:${metricsPort}/metrics`, stopping);
      if (page !== undefined) {
        const ended = endedJobsIn(page);
        if (endedBefore === undefined || isOfAnotherLife(ended, endedBefore)) endedBefore = ended;
        const before = endedBefore;
        missing = queues.filter((queue) => countOf(ended, queue) <= countOf(before, queue));
        if (missing.length === 0) return;
        await Promise.allSettled(missing.map(addJob)); // with Redis away there is no job to take
      }
      await pause(stopping, WORKER_POLL_MS);
    }
  };
}

/** By queue. */
type JobCounts = ReadonlyMap<string, number>;

const countOf = (counts: JobCounts, queue: string): number => counts.get(queue) ?? 0;

/** It was started anew, and counts from nothing. */
const isOfAnotherLife = (now: JobCounts, before: JobCounts): boolean =>
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

function endedJobsIn(page: string): JobCounts {
  const lines = page.matchAll(/^ledger_job_duration_seconds_count\{queue="([^"]*)",end="completed"\} (\d+)$/gm);
  return new Map([...lines].map(([, queue = '', count]) => [queue, Number(count)]));
}
