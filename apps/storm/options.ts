import { parseArgs } from 'node:util';
import { StartError } from '#services/start-error.js';

export interface StormOptions {
  /** The same number: the same faults in the same order, and similar wishes of the clients. */
  readonly seed: number;
  /** For how long things happen; setting up before and looking after take about another half a minute. */
  readonly seconds: number;
  /** The folder with all logs stays, whatever was found. */
  readonly keep: boolean;
}

const HIGHEST_SEED = 2 ** 32 - 1;
/** Everything that was asked and answered stays in memory. */
const LONGEST_SECONDS = 3_600;

export const USAGE = `npm run storm -- [options]

  --seed N      which storm: the same number, the same faults in the same order (default: any)
  --seconds N   for how long things break (default 60)
  --keep        leaves the folder with the logs of all processes also when all is well
  --help        this text`;

/** Undefined: the user asks for help. */
export function readOptions(args: readonly string[]): StormOptions | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  return {
    seed: values.seed === undefined ? anySeed() : wholeNumber('--seed', values.seed, { from: 0, to: HIGHEST_SEED }),
    seconds: wholeNumber('--seconds', values.seconds, { from: 1, to: LONGEST_SECONDS }),
    keep: values.keep,
  };
}

/** Small, so that people can repeat it. */
export const anySeed = (): number => Math.floor(Math.random() * 1_000_000);

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string' },
        seconds: { type: 'string', default: '60' },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function wholeNumber(name: string, text: string, { from, to }: { from: number; to: number }): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= from && value <= to) return value;
  throw new StartError(`${name} must be a whole number from ${from} to ${to}.`);
}
