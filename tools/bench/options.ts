import { existsSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '#platform/errors/start-error.js';
import { parseOptions, wholeNumber } from '#tools/shared/command-line.js';

const USAGE = `npm run bench -- [options]

  --only NAME       only the scenarios whose name begins with NAME; may be given several times
  --seconds N       time for which each figure is measured (default 3, with --quick 1.5)
  --quick           rough figures in a few minutes: shorter, and a tenth of the rows
  --json FILE       writes all figures as JSON
  --against FOLDER  alternates this build with that of another checkout, and prints the ratios
  --rounds N        how often (default 7)
  --help            this text`;

/** The bets of each large wager that is settled, and the rows of each long list. */
const SIZES = {
  full: { bets: 100_000, rows: 1_000_000 },
  quick: { bets: 10_000, rows: 100_000 },
};

const OPTIONS = {
  only: { type: 'string', multiple: true, default: [] as string[] },
  seconds: { type: 'string' },
  quick: { type: 'boolean', default: false },
  json: { type: 'string' },
  against: { type: 'string' },
  rounds: { type: 'string', default: '7' },
} as const;

export type BenchOptions = ReturnType<typeof readOptions>;

export function readOptions(args: readonly string[]) {
  const values = parseOptions(args, OPTIONS, USAGE);
  const { only, quick, json: jsonFile } = values;
  const seconds = Number(values.seconds ?? (quick ? 1.5 : 3));
  if (!(seconds >= 0.5 && seconds <= 600)) throw new StartError('--seconds must be a number from 0.5 to 600.');
  const rounds = wholeNumber('--rounds', values.rounds, { from: 1, to: 1_000 });
  const against = values.against === undefined ? undefined : path.resolve(values.against);
  if (against !== undefined && !existsSync(path.join(against, 'build'))) {
    throw new StartError(`${against} has no build/: run \`npm run build\` there.`);
  }
  return { only, seconds, quick, jsonFile, against, rounds, ...(quick ? SIZES.quick : SIZES.full) };
}
