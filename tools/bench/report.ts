import { whole } from '#tools/shared/command-line.js';
import type { Figures } from './bench.js';
import type { Verdict } from './goals.js';

/** Three digits at least. */
export const numberText = (value: number): string =>
  Math.abs(value) >= 100 ? whole(value) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);

export const figuresLine = (scenario: string, figures: Figures): string =>
  `${scenario.padEnd(16)} ${Object.entries(figures)
    .map(([name, value]) => `${name} ${numberText(value)}`)
    .join(', ')}`;

export function goalLines(verdicts: readonly Verdict[]): string[] {
  const cells = verdicts.map(({ title, atLeast, atMost, value, isMet }) => [
    title,
    atLeast === undefined ? `<= ${numberText(atMost ?? Infinity)}` : `>= ${numberText(atLeast)}`,
    value === undefined ? '' : numberText(value),
    value === undefined ? 'not measured' : isMet ? 'met' : 'MISSED',
  ]);
  return cells.map(([title = '', wanted = '', value = '', verdict = '']) =>
    [title.padEnd(58), wanted.padStart(9), value.padStart(9), verdict].join('  '),
  );
}

/** The ratios of one figure on this build to those on the other one, a round each. */
export interface Comparison {
  readonly scenario: string;
  readonly figure: string;
  readonly ratios: readonly number[];
}

const medianOf = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
};

export function comparisonLine({ scenario, figure, ratios }: Comparison): string {
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  return [scenario.padEnd(16), figure.padEnd(26), medianOf(ratios).toFixed(2), `(${spread})`].join('  ');
}
