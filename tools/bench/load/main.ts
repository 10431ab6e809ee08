import autocannon, { type Result } from 'autocannon';
import type { LoadMessage, LoadPlan, LoadResult } from './plan.js';
import { requestsOf } from './requests.js';

// Runs one plan, and ends.

/** No measured request takes this long: a longer wait is a fault. */
const ANSWER_TIMEOUT_SECONDS = 20;
/** autocannon looks so often whether its time is over. */
const LOOK_MS = 50;

async function runPlan({ port, connections, warmUpMs, measureMs, workload }: LoadPlan): Promise<LoadResult> {
  // autocannon rounds latencies to whole milliseconds, so they are collected here.
  const latencies: number[] = [];
  const faults: Record<string, number> = {};
  let done = 0;
  const from = performance.now() + warmUpMs;
  const { errors: lost } = await new Promise<Result>((resolve, reject) => {
    const options: autocannon.Options = {
      url: `http://127.0.0.1:${port}`,
      connections,
      duration: (warmUpMs + measureMs) / 1_000,
      timeout: ANSWER_TIMEOUT_SECONDS,
      sampleInt: LOOK_MS,
      requests: [requestsOf(workload)],
    };
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    run.on('response', (_client, status, _bytes, tookMs) => {
      const isDone = status >= 200 && status < 300;
      if (isDone) done += 1;
      const now = performance.now();
      if (now < from || now > from + measureMs) return;
      if (isDone) latencies.push(tookMs);
      else faults[status] = (faults[status] ?? 0) + 1;
    });
  });
  if (lost > 0) Object.assign(faults, { lost });
  const sorted = latencies.sort((one, other) => one - other);
  return {
    rate: (sorted.length * 1_000) / measureMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    done,
    faults,
  };
}

/** The smallest value that at least this share of all values does not exceed. */
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

const answer = (message: LoadMessage) => process.send?.(message, () => process.exit(0));

process.on('disconnect', () => process.exit(1));
process.once('message', (plan: LoadPlan) => {
  runPlan(plan).then(
    (result) => answer({ result }),
    (error: Error) => answer({ fault: error.message }),
  );
});
