import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;

/**
 * The start time of a process, as a text for comparisons only; undefined when no such process runs. With the pid it
 * identifies a process, because the system reuses pids. A zombie counts as ended.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform === 'linux') {
    // "pid (command) state ppid …": the command may hold spaces and brackets, so count from the last bracket.
    const fields = readIfThere(`/proc/${pid}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ');
    const [state, startTime] = [fields?.[0], fields?.[19]];
    return state === undefined || 'ZX'.includes(state) ? undefined : startTime;
  }
  const [, state, start] = /^(\S+)\s+(.*)$/.exec(ps(pid, 'state=,lstart=')) ?? [];
  return state === undefined || state.startsWith('Z') ? undefined : start;
}

export function isRunning(pid: number): boolean {
  return processStart(pid) !== undefined;
}

/** The command and its arguments with spaces between, or an empty text. */
export function commandLine(pid: number): string {
  return process.platform === 'linux'
    ? (readIfThere(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim()
    : ps(pid, 'command=');
}

export interface EndProcessOptions {
  readonly signal: NodeJS.Signals;
  /** The time after which SIGKILL follows. */
  readonly patienceMs: number;
}

/** Ends a process that this one did not start. */
export async function endProcess(pid: number, { signal, patienceMs }: EndProcessOptions): Promise<void> {
  sendSignal(pid, signal);
  if (await isGoneWithin(pid, patienceMs)) return;
  sendSignal(pid, 'SIGKILL');
  if (!(await isGoneWithin(pid, patienceMs))) throw new Error(`Process ${pid} does not end`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function isGoneWithin(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function ps(pid: number, columns: string): string {
  try {
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}
