import { whole } from '#tools/shared/command-line.js';
import { milliseconds, ratioText } from '../format-numbers.js';
import { GOALS, type Goal, isMet, measuredText, wantedText } from '../goals.js';
import type { LoadFigures } from '../load/plan.js';
import {
  type BenchFigures,
  type ComparisonRow,
  describeFaults,
  type GrowthRow,
  groupSizeText,
  type MemoryRow,
  optional,
  type RateRow,
} from '../report.js';
import { markdownTable } from './markdown.js';

const figure = (head: string) => ({ head, isFigure: true });

export interface Verdicts {
  readonly met: readonly Goal[];
  readonly missed: readonly Goal[];
  /** Titles of goals without a figure. */
  readonly unknown: readonly string[];
}

export function judge({ rates, growth, background, memory }: BenchFigures): Verdicts {
  const measured = [...rates, ...growth, ...background, ...(memory === undefined ? [] : [memory])].flatMap(
    ({ goals }) => goals,
  );
  const known = new Set(measured.map(({ name }) => name));
  return {
    met: measured.filter(isMet),
    missed: measured.filter((goal) => !isMet(goal)),
    unknown: GOALS.filter(([name]) => !known.has(name)).map(([, { title }]) => title),
  };
}

/** All goals, measured or not. */
export function goalTable({ met, missed }: Verdicts): string {
  const measured = [...met, ...missed];
  const rows = GOALS.map(([name, bound]) => {
    const goal = measured.find((one) => one.name === name);
    const before = bound.before ?? '';
    if (goal === undefined) return [bound.title, before, wantedText(bound), '', 'not measured'];
    return [bound.title, before, wantedText(goal), measuredText(goal), isMet(goal) ? 'met' : '**missed**'];
  });
  const figures = ['before', 'goal', 'measured'].map(figure);
  return markdownTable([{ head: 'what' }, ...figures, { head: 'verdict' }], rows);
}

export function rateTable(rates: readonly RateRow[]): string {
  const heads = ['connections', 'operations/s', 'ceiling', 'ratio', 'p50 ms', 'p99 ms', 'API cpu µs'];
  return markdownTable(
    [{ head: 'scenario' }, ...heads.map(figure), { head: 'answers other than 2xx' }],
    rates.map(({ scenario, connections, rate, ceiling, ratio, figures, costs }) => [
      ...[scenario, String(connections), whole(rate)],
      ...[optional(ceiling?.rate, whole), optional(ratio, ratioText)],
      ...[milliseconds(figures.p50Ms), milliseconds(figures.p99Ms), optional(costs.apiCpuMicros, whole)],
      describeFaults(figures.answers),
    ]),
  );
}

/** What one operation costs, of the scenarios that change data. */
export function costTable(rates: readonly RateRow[]): string {
  const heads = ['connections', 'operations/s', 'lean ceiling', 'ratio', 'API cpu µs', 'PostgreSQL cpu µs'];
  return markdownTable(
    [{ head: 'scenario' }, ...[...heads, 'WAL bytes', 'groups/s', 'operations a group'].map(figure)],
    rates
      .filter(({ ceiling }) => ceiling !== undefined)
      .map(({ scenario, connections, rate, lean, costs }) => [
        ...[scenario, String(connections), whole(rate)],
        ...[optional(lean?.rate, whole), optional(lean?.ratio, ratioText)],
        ...[costs.apiCpuMicros, costs.postgresCpuMicros, costs.walBytes].map((cost) => optional(cost, whole)),
        ...[optional(costs.groups, whole), optional(costs.groupSize, groupSizeText)],
      ]),
  );
}

/** One run's kinds of request, each by itself. */
export function labelTable(byLabel: Readonly<Record<string, LoadFigures>>): string {
  return markdownTable(
    [{ head: 'request' }, ...['a second', 'p50 ms', 'p99 ms', 'slowest ms'].map(figure)],
    Object.entries(byLabel).map(([label, { rate, p50Ms, p99Ms, maxMs }]) => [
      ...[label, whole(rate), milliseconds(p50Ms), milliseconds(p99Ms), milliseconds(maxMs)],
    ]),
  );
}

/** Of one scenario: a line for each size, the ratio of the largest to the smallest in the last one. */
export function growthTable(growth: readonly GrowthRow[]): string {
  const rows = growth.flatMap(({ subject, points, unit, ratio, note }) =>
    points.map(({ size, rate, p50Ms, p99Ms }, index) => {
      const isLast = index === points.length - 1;
      return [
        ...[index === 0 ? subject : '', whole(size), optional(rate, whole), milliseconds(p50Ms), milliseconds(p99Ms)],
        ...(isLast ? [`${unit === 'ms' ? 'median' : 'rate'} ${ratioText(ratio)}`, note] : []),
      ];
    }),
  );
  const heads = [growth[0]?.sizeOf ?? '', 'operations/s', 'p50 ms', 'p99 ms', 'largest ÷ smallest'];
  return markdownTable([{ head: 'what' }, ...heads.map(figure), { head: 'note' }], rows);
}

export function backgroundTable(background: readonly ComparisonRow[]): string {
  const rows = background.map(({ scenario, what, unit, value, beside, ratio, note }) => {
    const show = unit === 'ms' ? milliseconds : whole;
    return [scenario, what, `${show(value)} ${unit}`, optional(beside, show), optional(ratio, ratioText), note];
  });
  const heads = ['figure', 'beside', 'ratio'];
  return markdownTable([{ head: 'scenario' }, { head: 'what' }, ...heads.map(figure), { head: 'note' }], rows);
}

export function memoryTable({ startMb, afterFirstMb, peakMb, endMb }: MemoryRow): string {
  const heads = ['at the start', 'after the first scenario', 'at its peak', 'at the end'];
  return markdownTable(heads.map(figure), [[startMb, afterFirstMb, peakMb, endMb].map((mb) => `${whole(mb)} MB`)]);
}
