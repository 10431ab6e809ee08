import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '#platform/errors/start-error.js';
import type { BenchReport } from '../report.js';
import { PLOT_FOLDER, renderPage } from './page.js';

/** Only TypeScript is compiled into build/: this file is read from the sources. */
const LEVERS_FILE = fileURLToPath(new URL('../../../../tools/bench/page/levers.md', import.meta.url));

/** What each change to the costs of an operation gave: measured once each, and written by hand. */
export const readLevers = (): Promise<string> => readFile(LEVERS_FILE, 'utf8');

/** Writes the page and its plots into the folder of the docs; returns the page's path. */
export async function writePage(report: BenchReport, docs: string): Promise<string> {
  const { markdown, plots } = renderPage(report, await readLevers());
  const folder = path.join(docs, PLOT_FOLDER);
  await mkdir(folder, { recursive: true });
  for (const file of await readdir(folder)) {
    if (file.endsWith('.svg')) await rm(path.join(folder, file)); // from an earlier run that measured more
  }
  for (const { name, svg } of plots) await writeFile(path.join(folder, `${name}.svg`), svg);
  const page = path.join(docs, 'performance.md');
  await writeFile(page, markdown);
  return page;
}

/** Reads the figures that an earlier run has written as JSON. */
export async function readReport(file: string): Promise<BenchReport> {
  let report: Partial<BenchReport>;
  try {
    report = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (!isReport(report)) throw new StartError(`${file} holds no figures of this version of the bench.`);
  return report;
}

function isReport(report: Partial<BenchReport>): report is BenchReport {
  const { environment, rates, growth, background } = report;
  const hasPoints = growth?.every(({ points }) => Array.isArray(points)) ?? false;
  return environment !== undefined && rates !== undefined && background !== undefined && hasPoints;
}
