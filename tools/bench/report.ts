import { whole } from '#tools/shared/command-line.js';
import type { Environment } from './environment.js';
import { milliseconds, ratioText } from './format-numbers.js';
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
  readonly apiCpuMicros?: number;
  readonly generatorLoad: number;
  readonly goals: readonly Goal[];
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
  readonly unit: 'bets/s' | 'jobs/s' | 'ms' | 'MB';
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

const RATE_WIDTHS = [24, 6, 9, 9, 9, 9, 7, 8];

const columns = (cells: readonly string[], widths: readonly number[]) =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0))).join(' ');

export function printRateHead(print: Print): void {
  print(columns(['scenario', 'conns', 'ops/s', 'p50 ms', 'p99 ms', 'ceiling', 'ratio', 'cpu µs'], RATE_WIDTHS));
}

export function printRate(print: Print, row: RateRow): void {
  const cells = [
    row.scenario,
    String(row.connections),
    whole(row.rate),
    milliseconds(row.figures.p50Ms),
    milliseconds(row.figures.p99Ms),
    row.ceiling === undefined ? '' : whole(row.ceiling.rate),
    row.ratio === undefined ? '' : ratioText(row.ratio),
    row.apiCpuMicros === undefined ? '' : whole(row.apiCpuMicros),
  ];
  const faults = describeFaults(row.figures.answers);
  const notes = [...row.goals.map(describeGoal), ...(faults === '' ? [] : [faults])];
  print(`${columns(cells, RATE_WIDTHS)}  ${notes.join('; ')}`.trimEnd());
}

const GROWTH_WIDTHS = [16, 62, 8, 8, 7];

export function printGrowthHead(print: Print): void {
  print(columns(['growth', 'what', 'small', 'large', 'ratio'], GROWTH_WIDTHS));
}

export function printGrowth(print: Print, row: GrowthRow): void {
  const show = row.unit === 'ms' ? milliseconds : whole;
  const what = `${row.subject}: ${describeSizes(row)} (${row.unit})`;
  const cells = [row.scenario, what, show(row.small), show(row.large), ratioText(row.ratio)];
  const notes = [...row.goals.map(describeGoal), ...(row.note === '' ? [] : [row.note])];
  print(`${columns(cells, GROWTH_WIDTHS)}  ${notes.join('; ')}`.trimEnd());
}

/** `1 -> 10,000 open offers of a user`. */
function describeSizes({ points, sizeOf }: GrowthRow): string {
  const sizes = [points.at(0), points.at(-1)].map((point) => whole(point?.size ?? 0));
  return `${sizes.join(' -> ')} ${sizeOf}`;
}

const COMPARISON_WIDTHS = [18, 44, 10, 10, 7];

export function printComparisonHead(print: Print): void {
  print(columns(['background', 'what', 'figure', 'beside', 'ratio'], COMPARISON_WIDTHS));
}

export function printComparison(print: Print, row: ComparisonRow): void {
  const show = row.unit === 'ms' ? milliseconds : whole;
  const cells = [
    row.scenario,
    `${row.what} (${row.unit})`,
    show(row.value),
    row.beside === undefined ? '' : show(row.beside),
    row.ratio === undefined ? '' : ratioText(row.ratio),
  ];
  const notes = [...row.goals.map(describeGoal), ...(row.note === '' ? [] : [row.note])];
  print(`${columns(cells, COMPARISON_WIDTHS)}  ${notes.join('; ')}`.trimEnd());
}

export function printMemory(print: Print, memory: MemoryRow): void {
  const figures = `start ${whole(memory.startMb)}, after the first scenario ${whole(memory.afterFirstMb)}, peak ${whole(memory.peakMb)}, end ${whole(memory.endMb)}`;
  print(`API memory (RSS, MB): ${figures}  ${memory.goals.map(describeGoal).join('; ')}`);
}
