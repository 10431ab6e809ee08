import { inspect } from 'node:util';
import { StartError } from '#platform/errors/start-error.js';
import { onceOrphaned } from '#platform/process/once-orphaned.js';

export interface CommandOptions {
  /** Returns the exit code. When `stopping` is aborted it ends soon, by throwing, and leaves nothing behind. */
  readonly main: (stopping: AbortSignal) => Promise<number>;
  /** Set where npm has started it, which may be ended without passing the signal on. */
  readonly npmEvent: string | undefined;
  /** Errors whose text says all, besides those of every start. */
  readonly isForPeople?: (error: unknown) => error is Error;
}

const isStartError = (error: unknown): error is Error => error instanceof StartError;

/** The life of a command for people: a signal stops it, and so does the end of whoever reads what it prints. */
export async function runTool({ main, npmEvent, isForPeople = isStartError }: CommandOptions): Promise<never> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  if (npmEvent !== undefined) onceOrphaned(stop);
  process.stdout.on('error', stop);
  try {
    process.exit(await main(stopping.signal));
  } catch (error) {
    const isText = isForPeople(error) || isStartError(error);
    if (stopping.signal.aborted) process.stderr.write('\nStopped.\n');
    else process.stderr.write(isText ? `\n${error.message}\n\n` : `${inspect(error)}\n`);
    process.exit(1);
  }
}
