// A private Redis. Its folder holds redis.conf and password (both closed to others), the append-only files, redis.log.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Redis } from 'ioredis';
import { ensureRedisServer } from './ensure-redis-server.js';
import type { PrivateService } from './service-process.js';
import { endLeftOver, startPrivateServer } from './start-private-server.js';

export interface PrivateRedisOptions {
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  readonly port?: number;
  /** False: writes nothing to disk. Only for tests. */
  readonly persistent?: boolean;
  /** More lines of redis.conf. Only for tests. */
  readonly settings?: readonly string[];
}

const STOP_SIGNAL = 'SIGTERM';
const STARTING_FAULT = /ECONNREFUSED|ECONNRESET|LOADING|closed/;

export async function startPrivateRedis(options: PrivateRedisOptions): Promise<PrivateService> {
  const program = await ensureRedisServer(options.log);
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const folder = await realpath(options.dataDir);
  const configFile = path.join(folder, 'redis.conf');
  await endLeftOver({ pidFile: path.join(folder, 'redis.pid'), mark: configFile, signal: STOP_SIGNAL });
  const password = await readOrMakePassword(folder);
  return startPrivateServer({
    ...{ name: 'Redis', folder, port: options.port, startingFault: STARTING_FAULT },
    urlOf: (port) => `redis://:${password}@127.0.0.1:${port}`,
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
    `pidfile ${JSON.stringify(path.join(folder, 'redis.pid'))}`,
    // endLeftOver recognises the server by its command line.
    'set-proc-title no',
    `appendonly ${persistent ? 'yes' : 'no'}`,
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    ...settings,
  ];
  return `${lines.join('\n')}\n`;
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
