import { parseOptions, wholeNumber } from '#tools/shared/command-line.js';

export interface StormOptions {
  /** The same number: the same faults in the same order, and similar wishes of the clients. */
  readonly seed: number;
  /** For how long things happen; setting up before and looking after take about another half a minute. */
  readonly seconds: number;
  /** So many times longer than its goal everything may take, on a machine that has other work: 1 on a quiet one. */
  readonly patience: number;
  /** The folder with all logs stays, whatever was found. */
  readonly keep: boolean;
}

const HIGHEST_SEED = 2 ** 32 - 1;
/** Everything that was asked and answered stays in memory. */
const LONGEST_SECONDS = 6 * 3_600;
const MOST_PATIENCE = 10;

export const USAGE = `npm run storm -- [options]

  --seed N      which storm: the same number, the same faults in the same order (default: any)
  --seconds N   for how long things break (default 60)
  --patience N  so many times longer than the goals say everything may take: for a machine with other work (default 1)
  --keep        leaves the folder with the logs of all processes also when all is well
  --help        this text`;

const OPTIONS = {
  seed: { type: 'string' },
  seconds: { type: 'string', default: '60' },
  patience: { type: 'string', default: '1' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Undefined: the user asks for help. */
export function readOptions(args: readonly string[]): StormOptions | undefined {
  const values = parseOptions(args, OPTIONS, USAGE);
  if (values.help) return undefined;
  return {
    seed: values.seed === undefined ? anySeed() : wholeNumber('--seed', values.seed, { from: 0, to: HIGHEST_SEED }),
    seconds: wholeNumber('--seconds', values.seconds, { from: 1, to: LONGEST_SECONDS }),
    patience: wholeNumber('--patience', values.patience, { from: 1, to: MOST_PATIENCE }),
    keep: values.keep,
  };
}

/** Small, so that people can repeat it. */
export const anySeed = (): number => Math.floor(Math.random() * 1_000_000);
