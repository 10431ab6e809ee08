import { readFileSync } from 'node:fs';

// Figures of a process from /proc; undefined on a system without it.

const TICK_MS = 10; // of the kernel's accounts, on every Linux
const MEBIBYTE_IN_KIB = 1_024;

/** The most resident memory that the process has ever had. */
export function peakMb(pid: number): number | undefined {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readIfThere(`/proc/${pid}/status`) ?? '') ?? [];
  return kib === undefined ? undefined : Number(kib) / MEBIBYTE_IN_KIB;
}

/** Processor time used so far, by its children too: PostgreSQL has a process for each connection. */
export function cpuMs(pid: number): number | undefined {
  const own = ticksOf(pid);
  if (own === undefined) return undefined;
  const children = readIfThere(`/proc/${pid}/task/${pid}/children`)?.match(/\d+/g) ?? [];
  return children.reduce((ticks, child) => ticks + (ticksOf(Number(child)) ?? 0), own) * TICK_MS;
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
