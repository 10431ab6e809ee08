import { anySeed, parseOptions, seedOf, wholeNumber } from '#tools/shared/command-line.js';

export interface NightsOptions {
  /** The same seed plans the same days. */
  readonly seed: number;
  readonly days: number;
  /** Leaves the folder with all logs and the database, even without findings. */
  readonly keep: boolean;
}

const MOST_DAYS = 1_000;

const USAGE = `npm run nights -- [options]

  --seed N   the same seed plans the same days (default: random)
  --days N   how many days, with a leap day in their middle (default 404:
             housekeeping deletes what is 401 days old)
  --keep     leaves the folder with the logs and the database, even without findings
  --help     this text`;

const OPTIONS = {
  seed: { type: 'string' },
  days: { type: 'string', default: '404' },
  keep: { type: 'boolean', default: false },
} as const;

export function readOptions(args: readonly string[]): NightsOptions {
  const { seed, days, keep } = parseOptions(args, OPTIONS, USAGE);
  return {
    seed: seed === undefined ? anySeed() : seedOf('--seed', seed),
    days: wholeNumber('--days', days, { from: 2, to: MOST_DAYS }),
    keep,
  };
}
