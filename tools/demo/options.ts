import { parseOptions, seedOf, wholeNumber } from '#tools/shared/command-line.js';

export interface DemoOptions {
  /** The same seed plays the same evening. */
  readonly seed: number;
  readonly offers: number;
  /** Bettors continue to trade until Ctrl-C, also on a ledger that the demo has started. */
  readonly stay: boolean;
}

const MOST_OFFERS = 10_000;

const USAGE = `npm run demo -- [options]

  --seed N     plays another evening; the same seed plays the same evening (default 1)
  --offers N   the number of offers (default 1000)
  --stay       afterwards a market stays open, with bettors who trade on it, until Ctrl-C: look at it in the console
  --help       this text`;

const OPTIONS = {
  seed: { type: 'string', default: '1' },
  offers: { type: 'string', default: '1000' },
  stay: { type: 'boolean', default: false },
} as const;

export function readOptions(args: readonly string[]): DemoOptions {
  const values = parseOptions(args, OPTIONS, USAGE);
  return {
    seed: seedOf('--seed', values.seed),
    offers: wholeNumber('--offers', values.offers, { from: 10, to: MOST_OFFERS }),
    stay: values.stay,
  };
}
