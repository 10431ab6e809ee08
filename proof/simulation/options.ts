import { parseOptions, seedOf, wholeNumber } from '#tools/shared/command-line.js';

export interface SimulationOptions {
  /** The same seed plays the same histories; undefined: a new seed each time. */
  readonly seed: number | undefined;
  readonly seconds: number;
  /** The seed of a single history to play again. */
  readonly history: number | undefined;
}

const MOST_SECONDS = 7 * 24 * 60 * 60;

const USAGE = `npm run simulate -- [options]

  --seed N         which histories are played: the same number, the same histories (default: new ones each time)
  --seconds S      for how long (default 30)
  --history SEED   plays one history again and shows its steps; a failure names its seed
  --help           this text`;

const OPTIONS = {
  seed: { type: 'string' },
  seconds: { type: 'string', default: '30' },
  history: { type: 'string' },
} as const;

export function readOptions(args: readonly string[]): SimulationOptions {
  const values = parseOptions(args, OPTIONS, USAGE);
  return {
    seed: values.seed === undefined ? undefined : seedOf('--seed', values.seed),
    seconds: wholeNumber('--seconds', values.seconds, { from: 1, to: MOST_SECONDS }),
    history: values.history === undefined ? undefined : seedOf('--history', values.history),
  };
}
