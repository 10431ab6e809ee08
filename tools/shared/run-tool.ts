import { inspect } from 'node:util';
import { StartError } from '#platform/errors/start-error.js';
import { onceOrphaned } from '#platform/process/once-orphaned.js';
import { HelpWanted } from './command-line.js';

export interface ToolOptions {
  /** Returns the exit code. When `stopping` is aborted, it cleans up and throws. */
  readonly main: (stopping: AbortSignal) => Promise<number>;
  /** Set when npm has started the tool: npm may end without passing a signal on. */
  readonly npmEvent: string | undefined;
  /** Errors that are printed without a stack, besides StartError. */
  readonly isForUser?: (error: unknown) => error is Error;
}

const isStartError = (error: unknown): error is Error => error instanceof StartError;

/** Runs a tool until it ends. A signal stops it, and so does a closed output. */
export async function runTool({ main, npmEvent, isForUser = isStartError }: ToolOptions): Promise<never> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  if (npmEvent !== undefined) onceOrphaned(stop);
  process.stdout.on('error', stop);
  try {
    process.exit(await main(stopping.signal));
  } catch (error) {
    if (error instanceof HelpWanted) {
      process.stdout.write(`${error.message}\n`);
      process.exit(0);
    }
    const isText = isForUser(error) || isStartError(error);
    if (stopping.signal.aborted) process.stderr.write('\nStopped.\n');
    else process.stderr.write(isText ? `\n${error.message}\n\n` : `${inspect(error)}\n`);
    process.exit(1);
  }
}
