import { StartError } from '#platform/errors/start-error.js';
import { parseOptions } from '#tools/shared/command-line.js';

export interface BenchOptions {
  /** Names of scenarios, or their beginnings; empty: all. */
  readonly only: readonly string[];
  /** The time for which each figure is measured. */
  readonly seconds: number;
  /** Rough figures in a few minutes: fewer levels, a tenth of the rows. */
  readonly quick: boolean;
  /** The number of bets of each large wager of `settlement`. */
  readonly bets: number;
  /** The file for the figures as JSON. */
  readonly jsonFile: string | undefined;
  /** Writes docs/performance.md, with its plots. */
  readonly report: boolean;
  /** The file of figures for the page; nothing is measured. */
  readonly fromFile: string | undefined;
}

export const USAGE = `npm run bench -- [options]

  --only NAME     only the scenarios whose name begins with NAME; may be given several times
  --seconds N     time for which each figure is measured (default 3, with --quick 1.5)
  --quick         rough figures in a few minutes: 16 and 64 connections, a tenth of the rows
  --bets N        bets of each large wager that is settled (default 100000, with --quick 10000)
  --json FILE     writes all figures as JSON
  --report        writes docs/performance.md and its plots from all figures; not with --only
  --from FILE     only with --report: uses figures that --json has written, and measures nothing; the page
                  marks missing figures as not measured
  --help          this text`;

const OPTIONS = {
  only: { type: 'string', multiple: true, default: [] as string[] },
  seconds: { type: 'string' },
  quick: { type: 'boolean', default: false },
  bets: { type: 'string' },
  json: { type: 'string' },
  report: { type: 'boolean', default: false },
  from: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parseOptions<typeof OPTIONS>>;

/** Undefined when the user asks for help. */
export function readOptions(args: readonly string[]): BenchOptions | undefined {
  const values = parseOptions(args, OPTIONS, USAGE);
  if (values.help) return undefined;
  checkReport(values);
  const seconds = Number(values.seconds ?? (values.quick ? 1.5 : 3));
  if (!(seconds >= 0.5 && seconds <= 600)) throw new StartError('--seconds must be a number from 0.5 to 600.');
  const bets = Number(values.bets ?? (values.quick ? 10_000 : 100_000));
  if (!(Number.isInteger(bets) && bets >= 2_000 && bets <= 1_000_000)) {
    throw new StartError('--bets must be a whole number from 2000 to 1000000.');
  }
  const { only, quick, json: jsonFile, report, from: fromFile } = values;
  return { only, seconds, quick, bets, jsonFile, report, fromFile };
}

function checkReport({ report, from, only, quick, seconds, bets, json }: Values): void {
  if (report && from === undefined && only.length > 0) {
    throw new StartError('--report writes a page about everything: it does not go with --only.');
  }
  const measures = only.length > 0 || quick || [seconds, bets, json].some((value) => value !== undefined);
  if (from !== undefined && (!report || measures)) {
    throw new StartError('--from measures nothing: it goes with --report, and with nothing else.');
  }
}
