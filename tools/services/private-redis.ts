// A private Redis. Its folder holds redis.conf and password (both closed to others), the append-only files, redis.log.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { StartError } from '#platform/errors/start-error.js';
import { ensureRedisServer } from './ensure-redis-server.js';
import type { PrivateService } from './service-process.js';
import { startPrivateServer } from './start-private-server.js';

export interface PrivateRedisOptions {
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  readonly port?: number;
  /** False: writes nothing to disk. Only for tests. */
  readonly persistent?: boolean;
  /** More lines of redis.conf. Only for tests. */
  readonly settings?: readonly string[];
  /** Only for tests. */
  readonly leftOverPatienceMs?: number;
}

const STOP_SIGNAL = 'SIGTERM';
const LEFT_OVER_PATIENCE_MS = 15_000;
const LEFT_OVER_POLL_MS = 40;
/** Of a stopped server, no command ends. */
const COMMAND_TIMEOUT_MS = 2_000;
const STARTING_FAULT = /ECONNREFUSED|ECONNRESET|LOADING|closed|timed out/;

export async function startPrivateRedis(options: PrivateRedisOptions): Promise<PrivateService> {
  const program = await ensureRedisServer(options.log);
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const folder = await realpath(options.dataDir);
  const configFile = path.join(folder, 'redis.conf');
  const password = await readOrMakePassword(folder);
  const urlOf = (port: number) => `redis://:${password}@127.0.0.1:${port}`;
  const [, lastPort] = /^port (\d+)$/m.exec(existsSync(configFile) ? await readFile(configFile, 'utf8') : '') ?? [];
  if (lastPort !== undefined) await endLeftOver(urlOf(Number(lastPort)), folder, options.leftOverPatienceMs);
  return startPrivateServer({
    name: 'Redis',
    folder,
    port: options.port,
    startingFault: STARTING_FAULT,
    urlOf,
    async commandOf(port) {
      const { persistent = true, settings = [] } = options;
      await writeFile(configFile, configuration({ folder, port, password, persistent, settings }), { mode: 0o600 });
      const logFile = path.join(folder, 'redis.log');
      return { command: program, args: [configFile], logFile, stopSignal: STOP_SIGNAL };
    },
    connect: ping,
  });
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
  readonly settings: readonly string[];
}

function configuration({ folder, port, password, persistent, settings }: Configuration): string {
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(folder)}`,
    `appendonly ${persistent ? 'yes' : 'no'}`,
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    ...settings,
  ];
  return `${lines.join('\n')}\n`;
}

const ping = (url: string) => request(url, (redis) => redis.ping());

/** Two servers must not write the same files: the one of a killed launcher may still have to end. */
async function endLeftOver(url: string, folder: string, patienceMs = LEFT_OVER_PATIENCE_MS): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let isOurs = false;
  while (Date.now() < deadline) {
    isOurs = false;
    const fault = await request(url, async (redis) => {
      // A Redis without a password lets everybody in.
      const [, dir] = (await redis.config('GET', 'dir')) as string[];
      if (dir !== folder) throw new Error('It is another Redis.');
      isOurs = true;
      await redis.shutdown();
    });
    // It took our password, or does not answer where ours was.
    isOurs ||= fault !== undefined && /LOADING|timed out/.test(fault);
    // Nothing listens there, or something else.
    if (!isOurs && fault !== undefined && !/closed|ECONNRESET/.test(fault)) return;
    await delay(LEFT_OVER_POLL_MS);
  }
  if (!isOurs) return;
  throw new StartError(
    `The Redis of an earlier start still runs on ${folder}, at port ${new URL(url).port}, and does not end: stop it, then start again.`,
  );
}

/** Returns the fault. */
async function request(url: string, send: (redis: Redis) => Promise<unknown>): Promise<string | undefined> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => null,
    commandTimeout: COMMAND_TIMEOUT_MS,
  });
  let fault: string | undefined;
  redis.on('error', (error: Error) => {
    fault = error.message;
  });
  try {
    await redis.connect();
    await send(redis);
    return undefined;
  } catch (error) {
    return fault ?? String(error);
  } finally {
    redis.disconnect();
  }
}
