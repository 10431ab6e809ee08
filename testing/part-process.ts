import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestEnvironment } from './environment.js';

/** An API or a worker in its own process, so that a test can kill it. */
export interface PartProcess {
  readonly pid: number;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Resolves when the process reports that it is ready. */
export async function startPartProcess(
  name: 'api' | 'worker',
  env: Readonly<Record<string, string>>,
): Promise<PartProcess> {
  const main = fileURLToPath(new URL(`../apps/${name}/main.js`, import.meta.url));
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${name} ended before it was ready (${code ?? signal})`);
  });
  exited.catch(() => undefined); // matters only until it is ready
  await Promise.race([once(child, 'message'), exited]);
  return { pid: child.pid ?? 0, kill: () => end(child) };
}

/** The same on the services of the tests. Further settings replace these. */
export const startPartOn = (
  { addresses, redisUrl, redisPrefix, folder }: TestEnvironment,
  name: 'api' | 'worker',
  more: Readonly<Record<string, string>> = {},
): Promise<PartProcess> =>
  startPartProcess(name, {
    ...addresses,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: redisPrefix,
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
    ...more,
  });
