import type { InService } from '../cluster/in-service.js';

/** A process works again, or a service answers again. */
export interface Recovery {
  readonly process: string;
  /** All faults that hit it since it was last in service. */
  readonly faults: readonly string[];
  /** Since the end of the last of them. */
  readonly tookMs: number;
  /** The longest time that one of them allows. */
  readonly withinMs: number;
}

/** Every process must be in service again within this time, unless a fault allows more. */
export const RECOVERY_GOAL_MS = 10_000;

export interface RecoveryWatchOptions {
  readonly process: string;
  readonly inService: InService;
  readonly onRecovery: (recovery: Recovery) => void;
  readonly now?: () => number;
}

/** Measures how long a process takes from the end of the faults that hit it until it is in service again. */
export class RecoveryWatch {
  readonly #options: RecoveryWatchOptions;
  readonly #faults = new Set<string>();
  #withinMs = RECOVERY_GOAL_MS;
  #underWay = 0;
  #looking = new AbortController();
  #seen: Promise<void> = Promise.resolve();

  constructor(options: RecoveryWatchOptions) {
    this.#options = options;
  }

  get process(): string {
    return this.#options.process;
  }

  /** A fault hit it, and it was not in service since. */
  get isMissing(): boolean {
    return this.#faults.size > 0;
  }

  faultBegins(fault: string, withinMs = RECOVERY_GOAL_MS): void {
    this.#looking.abort();
    this.#underWay += 1;
    this.#faults.add(fault);
    this.#withinMs = Math.max(this.#withinMs, withinMs);
  }

  /** The end of the last fault starts the time of recovery. */
  faultEnds(): void {
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    this.#looking = new AbortController();
    this.#seen = this.#look(this.#looking.signal);
    this.#seen.catch(() => undefined); // the caller of `seen` gets the error
  }

  /** Resolves when it is in service, or after `stop`. */
  seen(): Promise<void> {
    return this.#seen;
  }

  stop(): void {
    this.#looking.abort();
  }

  async #look(stopping: AbortSignal): Promise<void> {
    const { process, inService, onRecovery, now = () => performance.now() } = this.#options;
    const since = now();
    try {
      await inService(stopping);
      stopping.throwIfAborted();
    } catch (error) {
      if (stopping.aborted) return;
      throw error;
    }
    onRecovery({ process, faults: [...this.#faults], tookMs: now() - since, withinMs: this.#withinMs });
    this.#faults.clear();
    this.#withinMs = RECOVERY_GOAL_MS;
  }
}
