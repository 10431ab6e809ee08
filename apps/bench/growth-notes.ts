import type { Bench } from './bench.js';
import type { LoadFigures, LoadResult } from './load/plan.js';
import { describeFaults, type GrowthRow, printGrowth } from './report.js';

export interface Latencies {
  readonly scenario: string;
  readonly what: string;
  readonly small: LoadFigures;
  readonly large: LoadFigures;
  readonly result: LoadResult;
  /** At most this ratio of the medians. */
  readonly goal: number | undefined;
}

export function noteLatencies(bench: Bench, { scenario, what, small, large, result, goal }: Latencies): void {
  const ratio = large.p50Ms / small.p50Ms;
  noteGrowth(bench, {
    ...{ scenario, what, unit: 'ms', small: small.p50Ms, large: large.p50Ms, ratio },
    note: describeFaults(small.answers) || describeFaults(large.answers),
    complaints: result.complaints,
    goals: goal === undefined ? [] : [{ of: 'ratio', value: ratio, atMost: goal }],
  });
}

export function noteGrowth({ figures, print }: Bench, row: GrowthRow): void {
  figures.growth.push(row);
  printGrowth(print, row);
}
