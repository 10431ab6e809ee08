import { readIfThere } from '#tools/services/process-info.js';

const SAMPLE_MS = 100;
const TICK_MS = 10; // of the kernel's accounts, on every Linux
const MEBIBYTE_IN_KIB = 1_024;

/** Samples a process by /proc; without /proc all figures are undefined. */
export class ProcessMeter {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  readonly startMb: number | undefined;
  #peakMb: number | undefined;

  constructor(pid: number) {
    this.#pid = pid;
    this.startMb = this.memoryMb();
    this.#timer = setInterval(() => this.memoryMb(), SAMPLE_MS).unref();
  }

  memoryMb(): number | undefined {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readIfThere(`/proc/${this.#pid}/status`) ?? '') ?? [];
    if (kib === undefined) return undefined;
    const memoryMb = Number(kib) / MEBIBYTE_IN_KIB;
    this.#peakMb = Math.max(memoryMb, this.#peakMb ?? 0);
    return memoryMb;
  }

  /** The most that was ever seen. */
  get peakMb(): number | undefined {
    return this.#peakMb;
  }

  /** Processor time used so far. */
  cpuMs(): number | undefined {
    // "pid (command) state …": the command may hold spaces, so count from the last bracket.
    const fields = readIfThere(`/proc/${this.#pid}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ');
    const [user, system] = [Number(fields?.[11]), Number(fields?.[12])];
    return Number.isNaN(user + system) ? undefined : (user + system) * TICK_MS;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
