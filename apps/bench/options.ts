import { parseArgs } from 'node:util';
import { StartError } from '#services/start-error.js';

export interface BenchOptions {
  /** Names of scenarios, or their beginnings; empty: all. */
  readonly only: readonly string[];
  /** How long each figure is measured. */
  readonly seconds: number;
  /** Rough figures in a few minutes: fewer levels, a tenth of the rows. */
  readonly quick: boolean;
  /** How many bets the large wagers of `settlement` have. */
  readonly bets: number;
  /** Where the figures go as JSON. */
  readonly jsonFile: string | undefined;
}

export const USAGE = `npm run bench -- [options]

  --only NAME     only the scenarios whose name begins so; may be given several times
  --seconds N     how long each figure is measured (default 3, with --quick 1.5)
  --quick         rough figures in a few minutes: 16 and 64 connections, a tenth of the rows
  --bets N        bets of each large wager that is settled (default 100000, with --quick 10000)
  --json FILE     writes all figures as JSON
  --help          this text`;

/** Undefined: the user asks for help. */
export function readOptions(args: readonly string[]): BenchOptions | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const seconds = Number(values.seconds ?? (values.quick ? 1.5 : 3));
  if (!(seconds >= 0.5 && seconds <= 600)) throw new StartError('--seconds must be a number from 0.5 to 600.');
  const bets = Number(values.bets ?? (values.quick ? 10_000 : 100_000));
  if (!(Number.isInteger(bets) && bets >= 2_000 && bets <= 1_000_000)) {
    throw new StartError('--bets must be a whole number from 2000 to 1000000.');
  }
  return { only: values.only, seconds, quick: values.quick, bets, jsonFile: values.json };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true, default: [] },
        seconds: { type: 'string' },
        quick: { type: 'boolean', default: false },
        bets: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n\n${USAGE}`);
  }
}
