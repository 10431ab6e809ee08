import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { Redis } from 'ioredis';
import { type Config, readConfig } from '#platform/config/config.js';
import { createLogger, type Logger } from '#platform/logging/logger.js';
import { recordLogLine } from '#proof/citus/record.js';
import { inDatabase } from '#tools/services/citus-databases.js';
import { createTestDatabase, type TestDatabase } from './databases.js';

/** A fiftieth of the time of the least cost that the configuration accepts. Most tests register, and few test the cost. */
const LOW_BCRYPT_COST = 4;

/** Longer than other work of the machine holds up a request. Tests of time-outs set their own. */
const REQUEST_DEADLINE = '30s';
/** A late answer of Redis would change what a test counts. Tests in which Redis fails name their own Redis. */
const REDIS_PATIENCE = 20;

/** Of no service. */
const TEST_WEBHOOK_KEY = Buffer.alloc(32, 'a key of the tests').toString('base64');

const TEST_CONSOLE_SECRET = 'the-console-of-the-tests';

/** A database, a key prefix in Redis and a folder for one test file. */
export interface TestEnvironment {
  readonly database: TestDatabase;
  /** The database as settings of a part: through PgBouncer when the test run says so. */
  readonly addresses: { readonly DATABASE_URL: string; readonly DATABASE_LISTEN_URL?: string };
  readonly redisUrl: string;
  readonly redisPrefix: string;
  readonly folder: string;
  readonly logger: Logger;
  /** Every log line so far. */
  readonly logLines: string[];
  config(overrides?: Record<string, string>): Config;
  /** All keys of this prefix with their values. */
  dumpRedis(): Promise<string>;
  /** Deletes all keys of this prefix, as a restart of Redis without its data would. */
  emptyRedis(): Promise<void>;
  close(): Promise<void>;
}

const dumpOf = async (redis: Redis, key: string): Promise<unknown> => {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1', 'WITHSCORES');
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return undefined;
  }
};

/** What the environment of a process cannot say. */
const adapted = (config: Config, overrides: Readonly<Record<string, string>>): Config => ({
  ...config,
  redis: { ...config.redis, ...(overrides.REDIS_URL === undefined && { patience: REDIS_PATIENCE }) },
  bcryptCost: 'BCRYPT_COST' in overrides ? config.bcryptCost : LOW_BCRYPT_COST,
});

function keepingLines(): Pick<TestEnvironment, 'logger' | 'logLines'> {
  const logLines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(String(chunk));
      recordLogLine(String(chunk));
      done();
    },
  });
  return { logger: createLogger({ name: 'test', level: 'debug', destination }), logLines };
}

export async function createTestEnvironment(): Promise<TestEnvironment> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'betting-ledger-'));
  // biome-ignore lint/style/noProcessEnv: set by the global setup
  const { TEST_REDIS_URL: redisUrl = '', TEST_PGBOUNCER_URL: poolerUrl } = process.env;
  const addresses =
    poolerUrl === undefined
      ? { DATABASE_URL: database.applicationUrl }
      : { DATABASE_URL: inDatabase(poolerUrl, database.name), DATABASE_LISTEN_URL: database.applicationUrl };
  const redisPrefix = `test-${randomBytes(6).toString('hex')}`;
  const redis = new Redis(redisUrl);
  const { logger, logLines } = keepingLines();
  const ownKeys = () => redis.keys(`${redisPrefix}:*`);
  const emptyRedis = async () => {
    const keys = await ownKeys();
    if (keys.length > 0) await redis.del(keys);
  };
  return {
    database,
    addresses,
    redisUrl,
    redisPrefix,
    folder,
    logLines,
    logger,
    config: (overrides = {}) => {
      const config = readConfig({
        PORT: '0',
        DASHBOARD_PORT: '0',
        REQUEST_DEADLINE,
        ...(overrides.DATABASE_URL === undefined && addresses),
        REDIS_URL: redisUrl,
        REDIS_PREFIX: redisPrefix,
        DATA_DIR: folder,
        APP_URL: 'http://ledger.test',
        CONSOLE_URL: 'http://console.test',
        WEBHOOK_KEY: TEST_WEBHOOK_KEY,
        CONSOLE_SECRET: TEST_CONSOLE_SECRET,
        ...overrides,
      });
      return adapted(config, overrides);
    },
    async dumpRedis() {
      const keys = await ownKeys();
      return JSON.stringify(await Promise.all(keys.map(async (key) => [key, await dumpOf(redis, key)])));
    },
    emptyRedis,
    async close() {
      await emptyRedis();
      redis.disconnect();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
