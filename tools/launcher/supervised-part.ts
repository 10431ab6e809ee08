import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '#platform/errors/start-error.js';
import { describeExit } from '#tools/services/service-process.js';
import { ConfigurationFault, type RunningPart } from './node-part.js';

export interface SupervisedPartOptions {
  readonly name: string;
  /** On the signal, it stops what it has begun, and rejects. */
  readonly start: (stopping: AbortSignal) => Promise<RunningPart>;
  readonly log: (line: string) => void;
  /** Called when the part cannot run: the launcher has to stop everything. */
  readonly giveUp: (reason: Error) => void;
  /** The pause before the first restart in a row; each further pause is twice as long. */
  readonly firstPauseMs?: number;
}

/** A part that ran this long counts as having started well. */
const SOUND_AFTER_MS = 3_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
const MOST_FAILURES = 5;

/** Restarts one part whenever it ends, with longer pauses while it ends soon after its start. */
export class SupervisedPart {
  readonly #options: SupervisedPartOptions;
  readonly #stopping = new AbortController();
  #running: RunningPart | undefined;
  /** The latest start or restart. */
  #attempt: Promise<void> = Promise.resolve();
  #readySince = Number.POSITIVE_INFINITY;
  #failures = 0;

  constructor(options: SupervisedPartOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    this.#attempt = this.#begin();
    return this.#attempt;
  }

  /** Stops the part, also during its start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#attempt.catch(() => undefined); // the caller of start() sees the rejection
    await this.#running?.stop();
  }

  hurry(): void {
    this.#running?.hurry?.();
  }

  async #begin(): Promise<void> {
    this.#readySince = Number.POSITIVE_INFINITY;
    const running = await this.#options.start(this.#stopping.signal);
    this.#readySince = Date.now();
    this.#running = running;
    void running.exited.then((exit) => {
      this.#running = undefined;
      if (!this.#stopping.signal.aborted) {
        this.#attempt = this.#restart(describeExit(exit));
      }
    });
  }

  async #restart(firstReason: string): Promise<void> {
    const { name, log, giveUp } = this.#options;
    let reason = firstReason;
    while (!this.#stopping.signal.aborted) {
      this.#failures = Date.now() - this.#readySince >= SOUND_AFTER_MS ? 1 : this.#failures + 1;
      if (this.#failures >= MOST_FAILURES) {
        giveUp(new StartError(`The ${name} failed ${this.#failures} times in a row (${reason}): giving up.`));
        return;
      }
      log(`The ${name} ended unexpectedly (${reason}); starting it again`);
      if (!(await this.#pause())) return;
      try {
        await this.#begin();
        log(`The ${name} runs again`);
        return;
      } catch (error) {
        if (error instanceof ConfigurationFault) {
          giveUp(error);
          return;
        }
        reason = (error as Error).message;
      }
    }
  }

  /** False when a stop has cut the pause short. */
  #pause(): Promise<boolean> {
    const { firstPauseMs = FIRST_PAUSE_MS } = this.#options;
    const pauseMs = Math.min(firstPauseMs * 2 ** (this.#failures - 1), LONGEST_PAUSE_MS);
    return delay(pauseMs, true, { signal: this.#stopping.signal }).catch(() => false);
  }
}
