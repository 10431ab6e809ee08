// A private Redis. Its folder holds redis.conf and password (both closed to others), the append-only files, redis.log.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { StartError } from '#platform/errors/start-error.js';
import { ensureRedisServer } from './ensure-redis-server.js';
import { freePort } from './free-port.js';
import { commandLine, endProcess, isRunning } from './process-info.js';
import { type PrivateService, type ServiceProcess, spawnService } from './service-process.js';

export interface PrivateRedisOptions {
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  readonly port?: number;
  /** False: writes nothing to disk. Only for tests. */
  readonly persistent?: boolean;
}

const STOP_SIGNAL = 'SIGTERM';
const STOP_PATIENCE_MS = 10_000;
const READY_TIMEOUT_MS = 120_000; // reading a large append-only file may take long
const EXIT_PATIENCE_MS = 1_000;
const POLL_MS = 25;
const PORT_TRIES = 5;
const PORT_TAKEN = /Address already in use/i;

export async function startPrivateRedis(options: PrivateRedisOptions): Promise<PrivateService> {
  const program = await ensureRedisServer(options.log);
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const folder = await realpath(options.dataDir);
  await endLeftOver(folder);
  const password = await readOrMakePassword(folder);

  for (let tries = 1; ; tries += 1) {
    const port = options.port ?? (await freePort());
    const configFile = configFileOf(folder);
    await writeFile(configFile, configuration({ folder, port, password, persistent: options.persistent ?? true }), {
      mode: 0o600,
    });
    const logFile = path.join(folder, 'redis.log');
    const server = await spawnService({ command: program, args: [configFile], logFile, stopSignal: STOP_SIGNAL });
    const url = `redis://:${password}@127.0.0.1:${port}`;
    const fault = await waitUntilReady(server, url);
    if (fault === undefined) {
      const { pid, exited, stop, kill } = server;
      return { url, port, pid, exited, stop, kill };
    }
    await server.stop();
    if (options.port !== undefined || !PORT_TAKEN.test(fault) || tries === PORT_TRIES) {
      throw new StartError(`The private Redis in ${folder} did not start. The end of its log:\n${fault}`);
    }
  }
}

const configFileOf = (folder: string) => path.join(folder, 'redis.conf');

/** Stops the server of a killed launcher: two servers would corrupt the append-only file. */
async function endLeftOver(folder: string): Promise<void> {
  const pidFile = path.join(folder, 'redis.pid');
  if (!existsSync(pidFile)) {
    return;
  }
  const pid = Number.parseInt(await readFile(pidFile, 'utf8'), 10);
  if (pid > 0 && isRunning(pid) && commandLine(pid).includes(configFileOf(folder))) {
    await endProcess(pid, { signal: STOP_SIGNAL, patienceMs: STOP_PATIENCE_MS });
  }
}

async function readOrMakePassword(folder: string): Promise<string> {
  const file = path.join(folder, 'password');
  if (!existsSync(file)) {
    await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  }
  return readFile(file, 'utf8');
}

interface Configuration {
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  readonly persistent: boolean;
}

function configuration({ folder, port, password, persistent }: Configuration): string {
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(folder)}`,
    `pidfile ${JSON.stringify(path.join(folder, 'redis.pid'))}`,
    // endLeftOver recognises the server by its command line.
    'set-proc-title no',
    `appendonly ${persistent ? 'yes' : 'no'}`,
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
  ];
  return `${lines.join('\n')}\n`;
}

/** Undefined when the server answers; else the reason why it does not. */
async function waitUntilReady(server: ServiceProcess, url: string): Promise<string | undefined> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!server.hasExited()) {
    const fault = await ping(url);
    if (fault === undefined) {
      return undefined;
    }
    if (!/ECONNREFUSED|ECONNRESET|LOADING|closed/.test(fault) || Date.now() > deadline) {
      await server.exitWithin(EXIT_PATIENCE_MS); // another server on the port may have answered
      return `${await server.logTail()}\nConnecting fails: ${fault}.`;
    }
    await delay(POLL_MS);
  }
  return server.logTail();
}

async function ping(url: string): Promise<string | undefined> {
  const redis = new Redis(url, { lazyConnect: true, enableReadyCheck: false, retryStrategy: () => null });
  let fault: string | undefined;
  redis.on('error', (error: Error) => {
    fault = error.message;
  });
  try {
    await redis.connect();
    await redis.ping();
    return undefined;
  } catch (error) {
    return fault ?? String(error);
  } finally {
    redis.disconnect();
  }
}
