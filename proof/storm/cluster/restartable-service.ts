import { setTimeout as delay } from 'node:timers/promises';
import type { PrivateService } from '#tools/services/service-process.js';
import { describeExit } from '#tools/services/service-process.js';
import { RECOVERY_GOAL_MS, type Recovery } from '../faults/recovery-watch.js';

export interface RestartableServiceOptions {
  readonly name: string;
  /** Without a port it takes any free one. */
  readonly start: (port?: number) => Promise<PrivateService>;
  /** Called when it answers again after a restart. */
  readonly onRecovery: (recovery: Recovery) => void;
  /** Called when it ended unasked. */
  readonly onFault: (text: string) => void;
}

export interface Restart {
  /** As the report shows it. */
  readonly cause: string;
  /** The signal that ends it. */
  readonly signal: NodeJS.Signals;
  readonly awayMs: number;
  readonly stopping: AbortSignal;
}

/** PostgreSQL or Redis: ends by any signal, and starts again at the same address. */
export class RestartableService {
  readonly #options: RestartableServiceOptions;
  #service: PrivateService;
  #isAskedToEnd = false;

  private constructor(options: RestartableServiceOptions, service: PrivateService) {
    this.#options = options;
    this.#service = service;
    this.#watch();
  }

  static async open(options: RestartableServiceOptions): Promise<RestartableService> {
    return new RestartableService(options, await options.start());
  }

  /** Takes over a service that runs. */
  static around(options: RestartableServiceOptions, service: PrivateService): RestartableService {
    return new RestartableService(options, service);
  }

  get url(): string {
    return this.#service.url;
  }

  get port(): number {
    return this.#service.port;
  }

  /** Returns when it answers again. */
  async restart({ cause, signal, awayMs, stopping }: Restart): Promise<void> {
    const { name, start, onRecovery } = this.#options;
    this.#isAskedToEnd = true;
    this.#service.kill(signal);
    await this.#service.exited;
    await delay(awayMs, undefined, { signal: stopping });
    const since = performance.now();
    this.#service = await start(this.#service.port);
    const tookMs = performance.now() - since;
    onRecovery({ process: name, faults: [cause], tookMs, withinMs: RECOVERY_GOAL_MS });
    this.#isAskedToEnd = false;
    this.#watch();
  }

  /** Sends SIGKILL: it does not start again. */
  async kill(): Promise<void> {
    this.#isAskedToEnd = true;
    this.#service.kill('SIGKILL');
    await this.#service.exited;
  }

  /** Must not run during a restart. */
  async stop(): Promise<void> {
    this.#isAskedToEnd = true;
    await this.#service.stop();
  }

  #watch(): void {
    const { name, onFault } = this.#options;
    void this.#service.exited.then((exit) => {
      if (!this.#isAskedToEnd) onFault(`${name} ended unasked with ${describeExit(exit)}`);
    });
  }
}
