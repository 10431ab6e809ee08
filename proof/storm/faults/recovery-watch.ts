import type { InService } from '../cluster/in-service.js';

/** A process does its work again, or a service answers again. */
export interface Recovery {
  readonly process: string;
  /** What it has recovered from: all that has happened to it since it was last seen in service. */
  readonly faults: readonly string[];
  /** Since the last of them was over. */
  readonly tookMs: number;
}

export interface RecoveryWatchOptions {
  readonly process: string;
  readonly inService: InService;
  readonly onRecovery: (recovery: Recovery) => void;
  readonly now?: () => number;
}

/** Measures how long a process needs, after the faults that concern it, until it is in service again. */
export class RecoveryWatch {
  readonly #options: RecoveryWatchOptions;
  readonly #faults = new Set<string>();
  #underWay = 0;
  #looking = new AbortController();
  #seen: Promise<void> = Promise.resolve();

  constructor(options: RecoveryWatchOptions) {
    this.#options = options;
  }

  get process(): string {
    return this.#options.process;
  }

  /** Hit, and not seen in service since. */
  get isMissing(): boolean {
    return this.#faults.size > 0;
  }

  faultBegins(fault: string): void {
    this.#looking.abort();
    this.#underWay += 1;
    this.#faults.add(fault);
  }

  /** When it was the last one, the time of recovery begins. */
  faultEnds(): void {
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    this.#looking = new AbortController();
    this.#seen = this.#look(this.#looking.signal);
    this.#seen.catch(() => undefined); // told to whoever waits until it is seen
  }

  /** Resolves when it is seen in service, or nobody looks any more. */
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
    onRecovery({ process, faults: [...this.#faults], tookMs: now() - since });
    this.#faults.clear();
  }
}
