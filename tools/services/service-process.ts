import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { SYSTEM_ENVIRONMENT } from './run-program.js';
import { launchAs, type SystemAccount } from './system-account.js';

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export function describeExit({ code, signal }: ProcessExit): string {
  return signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
}

/** A database server that belongs to this process. */
export interface PrivateService {
  readonly url: string;
  readonly pid: number;
  readonly port: number;
  /** Stops it; kills it when it does not end in time. */
  stop(): Promise<void>;
  /** Sends the signal; does nothing when the process has ended. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process ends. */
  readonly exited: Promise<ProcessExit>;
}

export interface ServiceCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly logFile: string;
  readonly stopSignal: NodeJS.Signals;
  readonly account?: SystemAccount | undefined;
  /** In addition to that of the system. The program that changes the account does not get it. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ServiceProcess {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  hasExited(): boolean;
  exitWithin(timeoutMs: number): Promise<boolean>;
  stop(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** The last lines of its log since its start. */
  logTail(): string;
}

const STOP_PATIENCE_MS = 20_000;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 4_000;
const TAIL_LINES = 12;

/** Starts a server in its own session: a Ctrl-C at the terminal reaches only the launcher, which stops all in order. */
export async function spawnService(service: ServiceCommand): Promise<ServiceProcess> {
  const log = await openLog(service.logFile);
  try {
    const { account, stopSignal } = service;
    const [command, args] = withEnvironment(service);
    const launch = await launchAs(command, args, { account, deathSignal: stopSignal });
    const child = spawn(launch.command, launch.args, {
      ...launch.ids,
      cwd: '/',
      detached: true,
      env: SYSTEM_ENVIRONMENT,
      stdio: ['ignore', log.file.fd, log.file.fd],
    });
    const exited = new Promise<ProcessExit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    await once(child, 'spawn');
    const exitWithin = (timeoutMs: number) => settlesWithin(exited, timeoutMs);
    return {
      pid: child.pid ?? 0,
      exited,
      exitWithin,
      hasExited: () => child.exitCode !== null || child.signalCode !== null,
      async stop() {
        child.kill(stopSignal);
        if (!(await exitWithin(STOP_PATIENCE_MS))) child.kill('SIGKILL');
        await exited;
      },
      // By its handle: its pid may belong to another program by now.
      kill: (signal) => void child.kill(signal),
      logTail: () => readTail(service.logFile, { start: log.start, lines: TAIL_LINES }),
    };
  } finally {
    await log.file.close();
  }
}

function withEnvironment({ command, args, environment = {} }: ServiceCommand): [string, readonly string[]] {
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return settings.length === 0 ? [command, args] : ['env', [...settings, command, ...args]];
}

async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([promise.then(() => true), late]);
  timer.abort();
  return inTime;
}

async function openLog(logFile: string): Promise<{ file: FileHandle; start: number }> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0, // the first start
  );
  if (size > LOG_LIMIT_BYTES) {
    await rename(logFile, `${logFile}.old`);
    return { file: await open(logFile, 'a', 0o600), start: 0 };
  }
  return { file: await open(logFile, 'a', 0o600), start: size };
}

/** The end of the log from there on. It says why a process ended. */
export function readTail(logFile: string, { start = 0, lines = Number.POSITIVE_INFINITY } = {}): string {
  const file = openSync(logFile, 'r');
  try {
    const text = Buffer.alloc(TAIL_BYTES);
    const length = readSync(file, text, 0, TAIL_BYTES, Math.max(start, fstatSync(file).size - TAIL_BYTES));
    return text.toString('utf8', 0, length).trim().split('\n').slice(-lines).join('\n');
  } finally {
    closeSync(file);
  }
}
