import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CONFIG_EXIT_CODE } from '#platform/config/config.js';
import { StartError } from '#platform/errors/start-error.js';
import { memoryEnvironment, nodeFlags } from '#platform/process/node-flags.js';
import { describeExit, type ProcessExit } from '#tools/services/service-process.js';

/** A running process that the launcher supervises. */
export interface RunningPart {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  stop(): Promise<void>;
  /** Kills it, where that is safe. */
  hurry?(): void;
}

/** A part has rejected its configuration: a restart would not help. */
export class ConfigurationFault extends Error {}

const READY_TIMEOUT_MS = 60_000;
const STOP_PATIENCE_MS = 15_000;

export interface NodePartOptions {
  readonly name: string;
  /** The compiled file to run; by default the main file of the app of this name. */
  readonly main?: string;
  /** Instead of the usual ones. */
  readonly flags?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stopping: AbortSignal;
}

/** The dashboard is the process of the console. */
export const folderOf = (part: string): string => (part === 'dashboard' ? 'console' : part);

/** Starts a part and waits until it reports that it is ready. */
export async function startNodePart({
  name,
  main,
  flags = nodeFlags,
  env,
  stopping,
}: NodePartOptions): Promise<RunningPart> {
  const file = main ?? fileURLToPath(new URL(`../../apps/${folderOf(name)}/main.js`, import.meta.url));
  // Detached: a Ctrl-C at the terminal reaches only the launcher, which stops everything in order. The IPC channel closes
  // when the launcher ends, even by SIGKILL, so the part notices.
  const child = spawn(process.execPath, [...flags, file], {
    detached: true,
    env: { ...memoryEnvironment, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  const part: RunningPart = {
    pid: child.pid ?? 0,
    exited,
    async stop() {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
      await exited;
      clearTimeout(force);
    },
    hurry: () => {
      child.kill('SIGKILL');
    },
  };
  const ready = new Promise<'ready'>((resolve) => {
    child.on('message', (message) => {
      if ((message as { type?: unknown } | null)?.type === 'ready') resolve('ready');
    });
  });
  const stop = () => void part.stop();
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop();
  try {
    await readyInTime(name, part, ready);
    return part;
  } finally {
    stopping.removeEventListener('abort', stop);
  }
}

async function readyInTime(name: string, part: RunningPart, ready: Promise<'ready'>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), READY_TIMEOUT_MS);
  });
  const first = await Promise.race([ready, part.exited, late]);
  clearTimeout(timer);
  if (first === 'ready') return;
  if (first === 'late') {
    part.hurry?.();
    throw new StartError(`The ${name} did not become ready within ${READY_TIMEOUT_MS / 1000} seconds.`);
  }
  if (first.code === CONFIG_EXIT_CODE) throw new ConfigurationFault();
  throw new StartError(`The ${name} ended before it was ready (${describeExit(first)}); what it printed says why.`);
}
