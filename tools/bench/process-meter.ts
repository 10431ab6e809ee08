import { readFileSync } from 'node:fs';

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

  /** Processor time used so far, by its children too: PostgreSQL has a process for each connection. */
  cpuMs(): number | undefined {
    const own = ticksOf(this.#pid);
    if (own === undefined) return undefined;
    const children = readIfThere(`/proc/${this.#pid}/task/${this.#pid}/children`)?.match(/\d+/g) ?? [];
    return children.reduce((ticks, pid) => ticks + (ticksOf(Number(pid)) ?? 0), own) * TICK_MS;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Of a process, and of its children that have ended. */
function ticksOf(pid: number): number | undefined {
  // "pid (command) state …": the command may hold spaces, so count from the last bracket.
  const fields = readIfThere(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
  const ticks = fields?.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks === undefined || Number.isNaN(ticks) ? undefined : ticks;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
