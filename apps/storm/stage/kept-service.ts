import { setTimeout as delay } from 'node:timers/promises';
import type { PrivateService } from '#services/service-process.js';

export interface Restart {
  /** How it is ended. */
  readonly signal: NodeJS.Signals;
  readonly awayMs: number;
  readonly stopping: AbortSignal;
}

/** PostgreSQL or Redis: can be ended in any way, and comes back at the same address. */
export class KeptService {
  readonly #start: (port?: number) => Promise<PrivateService>;
  #service: PrivateService;

  private constructor(start: (port?: number) => Promise<PrivateService>, service: PrivateService) {
    this.#start = start;
    this.#service = service;
  }

  static async open(start: (port?: number) => Promise<PrivateService>): Promise<KeptService> {
    return new KeptService(start, await start());
  }

  get url(): string {
    return this.#service.url;
  }

  get port(): number {
    return this.#service.port;
  }

  /** Returns when it answers again. */
  async restart({ signal, awayMs, stopping }: Restart): Promise<void> {
    process.kill(this.#service.pid, signal);
    await this.#service.exited;
    await delay(awayMs, undefined, { signal: stopping });
    this.#service = await this.#start(this.#service.port);
  }

  /** Not in the middle of a restart. */
  async stop(): Promise<void> {
    await this.#service.stop();
  }
}
