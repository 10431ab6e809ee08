import { CONFIG_EXIT_CODE, type Config, ConfigError, readConfig } from '../config/config.js';
import { StartError } from '../errors/start-error.js';
import { createLogging, type Logger, type Logging } from '../logging/logger.js';
import { outOfSupport } from './node-support.js';

/** The deadline of a stop; the launcher and containers wait a little longer. */
const STOP_DEADLINE_MS = 12_000;

export interface Running {
  /** Stops intake, finishes work in flight, then closes connections. */
  close(): Promise<void>;
}

export interface ProcessOptions {
  readonly name: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `fail` ends the process for a fault found after the start. */
  start(config: Config, logger: Logger, fail: (error: unknown) => void): Promise<Running>;
}

const isForPeople = (error: unknown): error is Error => error instanceof ConfigError || error instanceof StartError;

const isPassing = (error: unknown) => error instanceof StartError && error.isPassing;

/** Ends the process, with a short text when the provider can fix the fault, with all details otherwise. */
function failProcess({ logger, flush }: Logging, error: unknown): never {
  if (isForPeople(error)) process.stderr.write(`${error.message}\n`);
  else logger.fatal({ err: error }, 'cannot go on');
  flush();
  process.exit(isForPeople(error) && !isPassing(error) ? CONFIG_EXIT_CODE : 1);
}

function readConfigOrExit({ name, env }: ProcessOptions): Config {
  try {
    return readConfig(env, name);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(CONFIG_EXIT_CODE);
  }
}

/** Runs an app: starts it, notifies the parent (if any), and stops once on SIGTERM, SIGINT or the parent's end. */
export async function runProcess(options: ProcessOptions): Promise<void> {
  const { name, start } = options;
  const config = readConfigOrExit(options);
  const logging = createLogging({ name, level: config.logLevel });
  const { logger } = logging;
  const warning = outOfSupport(process.versions.node);
  if (warning !== undefined) logger.warn(warning);
  const fail = (error: unknown) => failProcess(logging, error);
  let running: Promise<Running> | undefined;
  let stopping = false;

  async function stop(reason: string): Promise<void> {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    const deadline = setTimeout(() => fail(new Error('could not stop in time')), STOP_DEADLINE_MS);
    // An app that failed to start has nothing to close.
    await (await running?.catch(() => undefined))?.close();
    clearTimeout(deadline);
    logger.info('stopped');
    logging.flush();
    process.exit(0);
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch(fail);
    });
  }
  // A killed launcher leaves no process behind.
  process.on('disconnect', () => {
    stop('the parent process is gone').catch(fail);
  });
  // A bug: memory may be half-changed, so the process ends. Transactions leave nothing half-done in the database.
  process.on('unhandledRejection', fail);
  process.on('uncaughtException', fail);

  running = start(config, logger, fail);
  await running.catch((error) => stopping || fail(error));
  if (stopping) return;
  logger.info('ready');
  process.send?.({ type: 'ready' });
}
