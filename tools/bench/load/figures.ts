import type { LoadFigures } from './plan.js';

/** Collects answers with every latency, so the percentiles are exact. */
export class Tally {
  readonly #latencies: number[] = [];
  readonly #answers = new Map<string, number>();
  #inTime = 0;

  add(status: string, latencyMs: number, finishedInTime: boolean): void {
    this.#answers.set(status, (this.#answers.get(status) ?? 0) + 1);
    this.#latencies.push(latencyMs);
    if (finishedInTime && status.startsWith('2')) this.#inTime += 1;
  }

  figures(measureMs: number): LoadFigures {
    const sorted = Float64Array.from(this.#latencies).sort();
    const sum = sorted.reduce((total, latency) => total + latency, 0);
    return {
      rate: (this.#inTime * 1_000) / measureMs,
      answers: Object.fromEntries([...this.#answers].sort(([one], [other]) => (one < other ? -1 : 1))),
      meanMs: sorted.length === 0 ? 0 : sum / sorted.length,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      maxMs: sorted.at(-1) ?? 0,
    };
  }
}

/** The smallest value that at least this share of all values does not exceed. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
