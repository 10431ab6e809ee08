import { parseOptions, wholeNumber } from '#tools/shared/command-line.js';

export interface NightsOptions {
  /** The same seed plans the same days. */
  readonly seed: number;
  readonly days: number;
  /** Leaves the folder with all logs and the database, even without findings. */
  readonly keep: boolean;
}

const HIGHEST_SEED = 2 ** 32 - 1;
const MOST_DAYS = 1_000;

export const USAGE = `npm run nights -- [options]

  --seed N   the same seed plans the same days (default: random)
  --days N   how many days, with a leap day in their middle (default 404:
             housekeeping deletes what is 401 days old)
  --keep     leaves the folder with the logs and the database, even without findings
  --help     this text`;

const OPTIONS = {
  seed: { type: 'string' },
  days: { type: 'string', default: '404' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Undefined when the arguments ask for help. */
export function readOptions(args: readonly string[]): NightsOptions | undefined {
  const { seed, days, keep, help } = parseOptions(args, OPTIONS, USAGE);
  if (help) return undefined;
  return {
    seed: seed === undefined ? anySeed() : wholeNumber('--seed', seed, { from: 0, to: HIGHEST_SEED }),
    days: wholeNumber('--days', days, { from: 2, to: MOST_DAYS }),
    keep,
  };
}

/** Small, so that people can type it again. */
const anySeed = (): number => Math.floor(Math.random() * 1_000_000);
