import { parseOptions, wholeNumber } from '#tools/shared/command-line.js';

export interface DemoOptions {
  /** The same seed plays the same evening. */
  readonly seed: number;
  readonly offers: number;
  /** Bettors continue to trade until Ctrl-C, also on a ledger that the demo has started. */
  readonly stay: boolean;
}

const MOST_OFFERS = 10_000;
const HIGHEST_SEED = 2 ** 32 - 1;

export const USAGE = `npm run demo -- [options]

  --seed N     plays another evening; the same seed plays the same evening (default 1)
  --offers N   the number of offers (default 1000)
  --stay       afterwards a market stays open, with bettors who trade on it, until Ctrl-C: look at it in the console
  --help       this text`;

const OPTIONS = {
  seed: { type: 'string', default: '1' },
  offers: { type: 'string', default: '1000' },
  stay: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Undefined when the user asks for help. */
export function readOptions(args: readonly string[]): DemoOptions | undefined {
  const values = parseOptions(args, OPTIONS, USAGE);
  if (values.help) return undefined;
  return {
    seed: wholeNumber('--seed', values.seed, { from: 0, to: HIGHEST_SEED }),
    offers: wholeNumber('--offers', values.offers, { from: 10, to: MOST_OFFERS }),
    stay: values.stay,
  };
}
