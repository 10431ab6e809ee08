import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG_EXIT_CODE } from '#platform/config/config.js';
import { StartError } from '#platform/errors/start-error.js';
import { memoryEnvironment } from '#platform/process/node-flags.js';
import { SYSTEM_ENVIRONMENT } from '#tools/services/run-program.js';
import { describeExit, type ProcessExit } from '#tools/services/service-process.js';
import type { Launch } from '#tools/services/system-account.js';

export interface SupervisedProcessOptions {
  readonly name: string;
  readonly launch: Launch;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** What happens to it, for whoever reads it later. */
  readonly log: (text: string) => void;
  /** It ended after it had been ready, or for good, and nobody had asked for it; or not as it was asked to. */
  readonly onFault: (text: string) => void;
}

/** From one start to the next. */
interface Life {
  readonly child: ChildProcess;
  /** False when it ended before it was ready. */
  readonly ready: Promise<boolean>;
  readonly exited: Promise<ProcessExit>;
  isAskedToEnd: boolean;
}

const NEVER_BEGAN: ProcessExit = { code: null, signal: null };
/** Longer than a process may take by its own deadline. */
const STOP_PATIENCE_MS = 15_000;

/** An API or a worker. However it ends, it is started again at once, as a supervisor would. */
export class SupervisedProcess {
  readonly name: string;
  readonly #options: SupervisedProcessOptions;
  #life: Life;
  #isStopping = false;

  constructor(options: SupervisedProcessOptions) {
    this.name = options.name;
    this.#options = options;
    this.#life = this.#begin();
  }

  /** For the first time, at which nothing stands in its way. */
  async started(): Promise<void> {
    const isReady = await this.#life.ready;
    if (!isReady) throw new StartError(`${this.name} does not start: ${this.#options.logFile} says why.`);
  }

  /** By force: at any moment, also while it starts. */
  async kill(): Promise<void> {
    await end(this.#life, 'SIGKILL');
  }

  /** Waits until it is ready, and then asks it to stop. */
  async stopPolitely(): Promise<void> {
    const life = await this.#readyLife();
    const force = setTimeout(() => life.child.kill('SIGKILL'), STOP_PATIENCE_MS);
    const exit = await end(life, 'SIGTERM');
    clearTimeout(force);
    if (exit.code !== 0) this.#options.onFault(`${this.name} was asked to stop, and ended with ${describeExit(exit)}`);
  }

  /** It stands still, and does not know it. */
  async pause(forMs: number, stopping: AbortSignal): Promise<void> {
    const { child } = await this.#readyLife();
    child.kill('SIGSTOP');
    try {
      await delay(forMs, undefined, { signal: stopping });
    } finally {
      child.kill('SIGCONT');
    }
  }

  /** For good. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.kill();
  }

  async #readyLife(): Promise<Life> {
    for (;;) {
      const life = this.#life;
      if (await life.ready) return life;
      if (this.#isStopping) throw new StartError(`${this.name} is stopped.`);
    }
  }

  #begin(): Life {
    const life = this.#spawn();
    void life.ready.then((isReady) => isReady && this.#options.log(`${this.name} is ready`));
    void life.exited.then(async (exit) => {
      this.#options.log(`${this.name} has ended (${describeExit(exit)})`);
      if (exit === NEVER_BEGAN) {
        this.#isStopping = true; // the next try would fail as well
        this.#options.onFault(`${this.name} cannot be started`);
        return;
      }
      const wasReady = await life.ready;
      // Before it is ready it may end for want of PostgreSQL: then the next try is the way to wait for it.
      if (!life.isAskedToEnd && (wasReady || exit.code === CONFIG_EXIT_CODE)) {
        this.#options.onFault(`${this.name} ended by itself with ${describeExit(exit)}`);
      }
      if (!this.#isStopping) this.#life = this.#begin();
    });
    return life;
  }

  #spawn(): Life {
    const { launch, env, logFile } = this.#options;
    const log = openSync(logFile, 'a');
    // Detached: a Ctrl-C at the terminal reaches only the storm, which then ends everything.
    const child = spawn(launch.command, launch.args, {
      detached: true,
      env: { ...SYSTEM_ENVIRONMENT, ...memoryEnvironment, ...env },
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    const exited = new Promise<ProcessExit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
      child.on('error', () => child.pid === undefined && resolve(NEVER_BEGAN));
    });
    const saidReady = new Promise<boolean>((resolve) => {
      child.once('message', () => resolve(true));
    });
    return { child, exited, ready: Promise.race([saidReady, exited.then(() => false)]), isAskedToEnd: false };
  }
}

function end(life: Life, signal: NodeJS.Signals): Promise<ProcessExit> {
  life.isAskedToEnd = true;
  life.child.kill(signal);
  return life.exited;
}
