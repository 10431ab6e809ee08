import { chmodSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureFaketime } from '#tools/services/ensure-faketime.js';

/*
 * The clock of all processes of the stack. Each reads from a file how far its clock is from the machine's, whenever it asks
 * for the time, so the clock jumps while they run. Timers do not: they run by the monotonic clock, which stays real.
 */

const SHARED = '/dev/shm';
const LEFT_BEHIND = /^(?:sem\.faketime_sem|faketime_shm)_(\d+)$/;

export type Environment = Readonly<Record<string, string>>;

export class MovingClock {
  readonly #folder: string;
  readonly #library: string;
  readonly #aheadMs = new Set<number>();
  #offsetMs: number;

  private constructor(folder: string, library: string, at: number) {
    this.#folder = folder;
    this.#library = library;
    this.#offsetMs = at - Date.now();
  }

  static async open(folder: string, at: Date): Promise<MovingClock> {
    return new MovingClock(folder, await ensureFaketime(), at.getTime());
  }

  get now(): number {
    return Date.now() + this.#offsetMs;
  }

  /** Only forward: a moment that has passed changes nothing. */
  moveTo(at: number): void {
    this.#offsetMs = Math.max(this.#offsetMs, at - Date.now());
    for (const aheadMs of this.#aheadMs) this.#write(aheadMs);
  }

  /** The environment of a process whose clock is so far ahead of the others. */
  environment(aheadMs = 0): Environment {
    this.#aheadMs.add(aheadMs);
    this.#write(aheadMs);
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#fileOf(aheadMs),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }

  /** A killed process leaves behind what libfaketime has made for it, under its process id. */
  close(): void {
    for (const name of existsSync(SHARED) ? readdirSync(SHARED) : []) {
      const [, pid] = LEFT_BEHIND.exec(name) ?? [];
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(path.join(SHARED, name), { force: true });
    }
  }

  #fileOf(aheadMs: number): string {
    return path.join(this.#folder, `clock-${aheadMs}`);
  }

  /** By a new file: a reader never sees half a number. */
  #write(aheadMs: number): void {
    const seconds = (this.#offsetMs + aheadMs) / 1_000;
    const file = this.#fileOf(aheadMs);
    writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds.toFixed(3)}\n`);
    chmodSync(`${file}.new`, 0o644); // PostgreSQL may run as another user
    renameSync(`${file}.new`, file);
  }
}
