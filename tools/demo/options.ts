import { parseOptions, wholeNumber } from '#tools/shared/command-line.js';

export interface DemoOptions {
  /** The same seed plays the same evening. */
  readonly seed: number;
  readonly offers: number;
  /** What the demo has started by itself goes on, for a look around, until it is told to stop. */
  readonly stay: boolean;
}

const MOST_OFFERS = 10_000;
const HIGHEST_SEED = 2 ** 32 - 1;

export const USAGE = `npm run demo -- [options]

  --seed N     which evening is played: the same number, the same evening (default 1)
  --offers N   how many offers are made (default 1000)
  --stay       where no \`npm start\` runs: what the demo starts by itself goes on until Ctrl-C
  --help       this text`;

const OPTIONS = {
  seed: { type: 'string', default: '1' },
  offers: { type: 'string', default: '1000' },
  stay: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Undefined: the user asks for help. */
export function readOptions(args: readonly string[]): DemoOptions | undefined {
  const values = parseOptions(args, OPTIONS, USAGE);
  if (values.help) return undefined;
  return {
    seed: wholeNumber('--seed', values.seed, { from: 0, to: HIGHEST_SEED }),
    offers: wholeNumber('--offers', values.offers, { from: 10, to: MOST_OFFERS }),
    stay: values.stay,
  };
}
