import type { Bench } from './bench.js';
import { type GoalName, goalOf } from './goals.js';
import type { LoadResult } from './load/plan.js';
import {
  type ComparisonRow,
  describeFaults,
  type GrowthPoint,
  type GrowthRow,
  printComparison,
  printGrowth,
} from './report.js';

export interface Latencies {
  readonly scenario: string;
  readonly subject: string;
  readonly sizeOf: string;
  /** From the smallest to the largest. */
  readonly sizes: readonly number[];
  /** The label under which a size was measured. */
  labelOf(size: number): string;
  readonly result: LoadResult;
  /** The goal of the ratio of the medians. */
  readonly goal?: GoalName;
  /** The goal of the median of the largest size. */
  readonly largestGoal?: GoalName;
  /** The goal of the p99 of the largest size. */
  readonly slowestGoal?: GoalName;
}

/** Compares sizes that took turns on one connection by their medians. */
export function recordLatencies(bench: Bench, latencies: Latencies): void {
  const { scenario, subject, sizeOf, sizes, labelOf, result, goal, largestGoal, slowestGoal } = latencies;
  const measured = sizes.map((size) => ({ size, figures: result.byLabel[labelOf(size)] }));
  const points: GrowthPoint[] = [];
  for (const { size, figures } of measured) {
    if (figures !== undefined) points.push({ size, p50Ms: figures.p50Ms, p99Ms: figures.p99Ms });
  }
  if (points.length < sizes.length) {
    bench.print(`${scenario}: ${subject}: no answers in the measured time.`);
    return;
  }
  const [small, large] = firstAndLast(points, ({ p50Ms }) => p50Ms);
  const ratio = large / small;
  recordGrowth(bench, {
    ...{ scenario, subject, sizeOf, points, unit: 'ms', small, large, ratio },
    note: measured.map(({ figures }) => describeFaults(figures?.answers ?? {})).find((text) => text !== '') ?? '',
    complaints: result.complaints,
    goals: [
      ...(goal === undefined ? [] : [goalOf(goal, ratio)]),
      ...(largestGoal === undefined ? [] : [goalOf(largestGoal, large)]),
      ...(slowestGoal === undefined ? [] : [goalOf(slowestGoal, points.at(-1)?.p99Ms ?? Infinity)]),
    ],
  });
}

/** The figures of the smallest and of the largest size. */
export function firstAndLast<Point>(points: readonly Point[], pick: (point: Point) => number): [number, number] {
  const [first, last] = [points.at(0), points.at(-1)];
  if (first === undefined || last === undefined) throw new Error('nothing was measured');
  return [pick(first), pick(last)];
}

export function recordGrowth({ figures, print }: Bench, row: GrowthRow): void {
  figures.growth.push(row);
  printGrowth(print, row);
}

export function recordComparison({ figures, print }: Bench, row: ComparisonRow): void {
  figures.background.push(row);
  printComparison(print, row);
}

export const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
