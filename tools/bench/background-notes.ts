import type { Bench } from './bench.js';
import { type BesideRow, printBeside } from './report.js';

export function noteBeside({ figures, print }: Bench, row: BesideRow): void {
  figures.background.push(row);
  printBeside(print, row);
}

export const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
