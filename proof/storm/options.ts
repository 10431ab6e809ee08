import { anySeed, parseOptions, seedOf, wholeNumber } from '#tools/shared/command-line.js';

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

/** All requests and answers stay in memory. */
const LONGEST_SECONDS = 6 * 3_600;
const MOST_PATIENCE = 10;

const USAGE = `npm run storm -- [options]

  --seed N      the same seed gives the same faults in the same order (default: random)
  --seconds N   how long faults are injected (default 60)
  --patience N  multiplies all time limits by N, and the seconds until enough has happened: for a machine with other work
                (default 1)
  --standby     adds a synchronous standby, and faults that kill PostgreSQL for good
  --keep        leaves the folder with all logs, even without findings
  --help        this text`;

const OPTIONS = {
  seed: { type: 'string' },
  seconds: { type: 'string', default: '60' },
  patience: { type: 'string', default: '1' },
  standby: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
} as const;

export function readOptions(args: readonly string[]): StormOptions {
  const values = parseOptions(args, OPTIONS, USAGE);
  return {
    seed: values.seed === undefined ? anySeed() : seedOf('--seed', values.seed),
    seconds: wholeNumber('--seconds', values.seconds, { from: 1, to: LONGEST_SECONDS }),
    patience: wholeNumber('--patience', values.patience, { from: 1, to: MOST_PATIENCE }),
    standby: values.standby,
    keep: values.keep,
  };
}
