import { whole } from '#tools/shared/command-line.js';
import type { Costs } from './costs.js';
import type { Environment } from './environment.js';
import { milliseconds, ratioText, withDecimals } from './format-numbers.js';
import { describeGoal, type Goal } from './goals.js';
import type { LoadFigures } from './load/plan.js';
import type { BenchOptions } from './options.js';

export interface RateRow {
  readonly scenario: string;
  readonly connections: number;
  /** Operations a second: a batch of 20 counts 20. */
  readonly rate: number;
  readonly figures: LoadFigures;
  readonly byLabel?: Readonly<Record<string, LoadFigures>>;
  readonly complaints: readonly string[];
  readonly ceiling?: { readonly rate: number; readonly drivenBy: string };
  readonly ratio?: number;
  readonly lean?: LeanFigures;
  readonly costs: Costs;
  readonly generatorLoad: number;
  readonly goals: readonly Goal[];
}

/** The lean ceiling beside a rate. */
export interface LeanFigures {
  readonly rate: number;
  readonly ratio: number;
  /** The mean latency of its operation with one client; measured at one connection only. */
  readonly singleMs?: number;
}

/** The figures at one of several sizes. */
export interface GrowthPoint {
  readonly size: number;
  /** Answers a second; undefined where sizes take turns on one connection. */
  readonly rate?: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface GrowthRow {
  readonly scenario: string;
  readonly subject: string;
  /** Names what grows. */
  readonly sizeOf: string;
  /** From the smallest to the largest. */
  readonly points: readonly GrowthPoint[];
  readonly unit: 'ops/s' | 'ms';
  readonly small: number;
  readonly large: number;
  readonly ratio: number;
  readonly note: string;
  readonly complaints: readonly string[];
  readonly goals: readonly Goal[];
}

/** Work in the background, compared with the ceiling, the same work at rest, or an empty worker. */
export interface ComparisonRow {
  readonly scenario: string;
  readonly what: string;
  readonly unit: 'bets/s' | 'jobs/s' | 'offers/s' | 'ms' | 'MB';
  readonly value: number;
  readonly beside?: number;
  readonly ratio?: number;
  readonly note: string;
  readonly complaints: readonly string[];
  readonly goals: readonly Goal[];
}

export interface MemoryRow {
  readonly startMb: number;
  readonly afterFirstMb: number;
  readonly peakMb: number;
  readonly endMb: number;
  readonly goals: readonly Goal[];
}

/** All figures of a run. */
export interface BenchFigures {
  readonly rates: readonly RateRow[];
  readonly growth: readonly GrowthRow[];
  readonly background: readonly ComparisonRow[];
  readonly memory?: MemoryRow;
}

/** Written as JSON and as the page. */
export interface BenchReport extends BenchFigures {
  /** In UTC. */
  readonly startedAt: string;
  readonly tookSeconds: number;
  readonly options: Pick<BenchOptions, 'only' | 'seconds' | 'quick' | 'bets'>;
  readonly ceilingsDrivenBy: string;
  readonly environment: Environment;
}

export type Print = (line: string) => void;

/** Texts of answers that were not 2xx, each once. */
export function complaintsOf({ rates, growth, background }: BenchFigures): ReadonlySet<string> {
  return new Set([...rates, ...growth, ...background].flatMap((row) => row.complaints));
}

/** The counts of answers that were not 2xx, by status; empty without any. */
export function describeFaults(answers: LoadFigures['answers']): string {
  const faults = Object.entries(answers).filter(([status]) => !status.startsWith('2'));
  const total = Object.values(answers).reduce((sum, count) => sum + count, 0);
  return faults
    .map(([status, count]) => `${status}: ${whole(count)} (${((count * 100) / total).toFixed(1)}%)`)
    .join(', ');
}

/** A table of the screen, its columns with their widths. Verdicts and a note stand behind each row. */
function screenTable(columns: Readonly<Record<string, number>>) {
  const widths = Object.values(columns);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join(' ');
  return {
    printHead: (print: Print) => print(line(Object.keys(columns))),
    printRow(print: Print, cells: readonly string[], goals: readonly Goal[], note: string) {
      const notes = [...goals.map(describeGoal), ...(note === '' ? [] : [note])];
      print(`${line(cells)}  ${notes.join('; ')}`.trimEnd());
    },
  };
}

export const optional = (value: number | undefined, show: (value: number) => string): string =>
  value === undefined ? '' : show(value);

export const groupSizeText = (operations: number): string => withDecimals(operations, 1);

const rateTable = screenTable({
  ...{ scenario: 24, conns: 6, 'ops/s': 9, 'p50 ms': 9, 'p99 ms': 9, ceiling: 9, ratio: 7, lean: 6 },
  ...{ 'api µs': 7, 'pg µs': 7, wal: 6, group: 6 },
});
export const printRateHead = rateTable.printHead;

export function printRate(print: Print, row: RateRow): void {
  const { scenario, connections, rate, figures, ceiling, ratio, lean, costs, goals } = row;
  const cells = [
    ...[scenario, String(connections), whole(rate), milliseconds(figures.p50Ms), milliseconds(figures.p99Ms)],
    ...[optional(ceiling?.rate, whole), optional(ratio, ratioText), optional(lean?.ratio, ratioText)],
    ...[costs.apiCpuMicros, costs.postgresCpuMicros, costs.walBytes].map((cost) => optional(cost, whole)),
    optional(costs.groupSize, groupSizeText),
  ];
  rateTable.printRow(print, cells, goals, describeFaults(figures.answers));
}

const growthTable = screenTable({ growth: 16, what: 62, small: 8, large: 8, ratio: 7 });
export const printGrowthHead = growthTable.printHead;

export function printGrowth(print: Print, row: GrowthRow): void {
  const { scenario, subject, points, sizeOf, unit, small, large, ratio, goals, note } = row;
  const show = unit === 'ms' ? milliseconds : whole;
  const sizes = [points.at(0), points.at(-1)].map((point) => whole(point?.size ?? 0)).join(' -> ');
  const cells = [scenario, `${subject}: ${sizes} ${sizeOf} (${unit})`, show(small), show(large), ratioText(ratio)];
  growthTable.printRow(print, cells, goals, note);
}

const comparisonTable = screenTable({ background: 18, what: 44, figure: 10, beside: 10, ratio: 7 });
export const printComparisonHead = comparisonTable.printHead;

export function printComparison(print: Print, row: ComparisonRow): void {
  const { scenario, what, unit, value, beside, ratio, goals, note } = row;
  const show = unit === 'ms' ? milliseconds : whole;
  const cells = [scenario, `${what} (${unit})`, show(value), optional(beside, show), optional(ratio, ratioText)];
  comparisonTable.printRow(print, cells, goals, note);
}

export function printMemory(print: Print, { startMb, afterFirstMb, peakMb, endMb, goals }: MemoryRow): void {
  const figures = `start ${whole(startMb)}, after the first scenario ${whole(afterFirstMb)}, peak ${whole(peakMb)}, end ${whole(endMb)}`;
  print(`API memory (RSS, MB): ${figures}  ${goals.map(describeGoal).join('; ')}`);
}
