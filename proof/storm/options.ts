import { parseOptions, wholeNumber } from '#tools/shared/command-line.js';

export interface StormOptions {
  /** The same seed gives the same faults in the same order, and similar requests of the clients. */
  readonly seed: number;
  /** How long faults are injected; the set-up and the checks take about another half a minute. */
  readonly seconds: number;
  /** Factor by which everything may take longer than its goal: 1 on an idle machine. */
  readonly patience: number;
  /** PostgreSQL has a synchronous standby, which takes over when a fault kills the primary for good. */
  readonly standby: boolean;
  /** Leaves the folder with all logs, even without findings. */
  readonly keep: boolean;
}

const HIGHEST_SEED = 2 ** 32 - 1;
/** All requests and answers stay in memory. */
const LONGEST_SECONDS = 6 * 3_600;
const MOST_PATIENCE = 10;

export const USAGE = `npm run storm -- [options]

  --seed N      the same seed gives the same faults in the same order (default: random)
  --seconds N   how long faults are injected (default 60)
  --patience N  multiplies all time limits by N: for a machine with other work (default 1)
  --standby     adds a synchronous standby, and faults that kill PostgreSQL for good
  --keep        leaves the folder with all logs, even without findings
  --help        this text`;

const OPTIONS = {
  seed: { type: 'string' },
  seconds: { type: 'string', default: '60' },
  patience: { type: 'string', default: '1' },
  standby: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Undefined when the arguments ask for help. */
export function readOptions(args: readonly string[]): StormOptions | undefined {
  const values = parseOptions(args, OPTIONS, USAGE);
  if (values.help) return undefined;
  return {
    seed: values.seed === undefined ? anySeed() : wholeNumber('--seed', values.seed, { from: 0, to: HIGHEST_SEED }),
    seconds: wholeNumber('--seconds', values.seconds, { from: 1, to: LONGEST_SECONDS }),
    patience: wholeNumber('--patience', values.patience, { from: 1, to: MOST_PATIENCE }),
    standby: values.standby,
    keep: values.keep,
  };
}

/** Small, so that people can type it again. */
const anySeed = (): number => Math.floor(Math.random() * 1_000_000);
