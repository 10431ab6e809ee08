import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG_EXIT_CODE } from '#platform/config/config.js';
import { StartError } from '#platform/errors/start-error.js';
import { memoryEnvironment } from '#platform/process/node-flags.js';
import { SYSTEM_ENVIRONMENT } from '#tools/services/run-program.js';
import { describeExit, type ProcessExit, readTail } from '#tools/services/service-process.js';
import type { Launch } from '#tools/services/system-account.js';

export interface SupervisedProcessOptions {
  readonly name: string;
  readonly launch: Launch;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Writes its starts and ends to the log of the storm. */
  readonly log: (text: string) => void;
  /** Called when it ended unasked after it was ready, cannot start at all, or did not stop as asked. */
  readonly onFault: (text: string) => void;
}

/** One run, from a start to its end. */
interface Run {
  readonly child: ChildProcess;
  /** False when it ended before it was ready. */
  readonly ready: Promise<boolean>;
  readonly exited: Promise<ProcessExit>;
  isAskedToEnd: boolean;
}

const NEVER_STARTED: ProcessExit = { code: null, signal: null };
/** Above the deadline that the process sets itself. */
const TERMINATION_TIMEOUT_MS = 15_000;

/** An API or a worker. Starts it again at once, however it ends, as a supervisor does in production. */
export class SupervisedProcess {
  readonly name: string;
  readonly #options: SupervisedProcessOptions;
  #run: Run;
  #isStopping = false;

  constructor(options: SupervisedProcessOptions) {
    this.name = options.name;
    this.#options = options;
    this.#run = this.#start();
  }

  /** Resolves at its first readiness. */
  async started(): Promise<void> {
    const isReady = await this.#run.ready;
    if (!isReady) throw new StartError(`${this.name} does not start: ${this.#options.logFile} says why.`);
  }

  /** Sends SIGKILL at any moment, even during its start. */
  async kill(): Promise<void> {
    await end(this.#run, 'SIGKILL');
  }

  /** Waits until it is ready, then sends SIGTERM. */
  async terminate(): Promise<void> {
    const run = await this.#readyRun();
    const force = setTimeout(() => run.child.kill('SIGKILL'), TERMINATION_TIMEOUT_MS);
    const exit = await end(run, 'SIGTERM');
    clearTimeout(force);
    if (exit.code !== 0) this.#options.onFault(`${this.name} ended after SIGTERM with ${describeExit(exit)}`);
  }

  /** Sends SIGSTOP, and SIGCONT after this time. */
  async pause(forMs: number, stopping: AbortSignal): Promise<void> {
    const { child } = await this.#readyRun();
    child.kill('SIGSTOP');
    try {
      await delay(forMs, undefined, { signal: stopping });
    } finally {
      child.kill('SIGCONT');
    }
  }

  /** Ends it without another start. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.kill();
  }

  async #readyRun(): Promise<Run> {
    for (;;) {
      const run = this.#run;
      if (await run.ready) return run;
      if (this.#isStopping) throw new StartError(`${this.name} is stopped.`);
    }
  }

  #start(): Run {
    const run = this.#spawn();
    void run.ready.then((isReady) => isReady && this.#options.log(`${this.name} is ready`));
    void run.exited.then(async (exit) => {
      this.#options.log(`${this.name} has ended (${describeExit(exit)})`);
      if (exit === NEVER_STARTED) {
        this.#isStopping = true; // the next start would fail too
        this.#options.onFault(`${this.name} cannot be started`);
        return;
      }
      const wasReady = await run.ready;
      // Before it is ready it may end because PostgreSQL is down: the next start then waits for it.
      if (!run.isAskedToEnd && (wasReady || exit.code === CONFIG_EXIT_CODE)) {
        const end = readTail(this.#options.logFile);
        this.#options.onFault(`${this.name} ended unasked with ${describeExit(exit)}; its log ends with: ${end}`);
      }
      if (!this.#isStopping) this.#run = this.#start();
    });
    return run;
  }

  #spawn(): Run {
    const { launch, env, logFile } = this.#options;
    const log = openSync(logFile, 'a');
    // Detached: a Ctrl-C at the terminal reaches only the storm, which then ends all processes.
    const child = spawn(launch.command, launch.args, {
      detached: true,
      env: { ...SYSTEM_ENVIRONMENT, ...memoryEnvironment, ...env },
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    const exited = new Promise<ProcessExit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
      child.on('error', () => child.pid === undefined && resolve(NEVER_STARTED));
    });
    const messageReceived = new Promise<boolean>((resolve) => {
      child.once('message', () => resolve(true));
    });
    return { child, exited, ready: Promise.race([messageReceived, exited.then(() => false)]), isAskedToEnd: false };
  }
}

function end(run: Run, signal: NodeJS.Signals): Promise<ProcessExit> {
  run.isAskedToEnd = true;
  run.child.kill(signal);
  return run.exited;
}
