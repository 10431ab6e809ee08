import { type ParseArgsConfig, parseArgs } from 'node:util';
import { StartError } from '#platform/errors/start-error.js';

// Screen output and options, shared by the tools.

/** The output of a tool. */
export interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Returns to the start of the line and clears it. */
export const START_OF_LINE = '\r\u001b[2K';

const USUAL_COLUMNS = 80;

/** Replaces the last line. A line that wraps could not be replaced, so it is cut. */
export const drawOver = (screen: Screen, line: string): void => {
  screen.write(`${START_OF_LINE}${line.slice(0, (screen.columns || USUAL_COLUMNS) - 1)}`);
};

/** `12,345`. */
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

type OptionsConfig = NonNullable<ParseArgsConfig['options']>;

/** The caller asks for the usage, which is the message. */
export class HelpWanted extends Error {}

/** Parses the options; an unknown option throws a StartError with the usage, and `--help` a HelpWanted. */
export function parseOptions<const Options extends OptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  if (args.includes('--help')) throw new HelpWanted(usage);
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n\n${usage}`);
  }
}

/** Parses the value of an option. */
export function wholeNumber(name: string, text: string, { from, to }: { from: number; to: number }): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= from && value <= to) return value;
  throw new StartError(`${name} must be a whole number from ${from} to ${to}.`);
}

export const HIGHEST_SEED = 2 ** 32 - 1;

/** Parses the value of an option. */
export const seedOf = (name: string, text: string): number => wholeNumber(name, text, { from: 0, to: HIGHEST_SEED });

/** Small, so that people can type it again. */
export const anySeed = (): number => Math.floor(Math.random() * 1_000_000);
