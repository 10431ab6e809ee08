import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { LATER_FUNCTIONS } from '../database/functions.js';
import { readDatabaseState } from '../database/migrations.js';
import { PassingStartError, StartError } from '../errors/start-error.js';
import type { Logger } from '../logging/logger.js';
import type { RedisClient } from '../redis/redis.js';
import { assertRedisFits, lastingFaultOf } from '../redis/redis-check.js';

/** Fails at the start, because a database without all migrations, or with other functions, would fail in odd places later. */
export async function assertMigrated(databaseUrl: string): Promise<void> {
  const { pending, functions } = await readDatabaseState(databaseUrl).catch((error: Error & { code?: string }) => {
    const reason = error.message || error.code;
    throw new PassingStartError(`The PostgreSQL of DATABASE_URL does not answer: ${reason}.`);
  });
  if (pending.length > 0) {
    throw new StartError(`The database lacks ${pending.length} migration(s): run \`npm run migrate\` first.`);
  }
  if (functions === 'later') throw new StartError(LATER_FUNCTIONS);
  if (functions === 'earlier') {
    throw new StartError(
      'The database has the functions of an earlier release: run `npm run migrate` first, or start that release.',
    );
  }
}

/** Longer than PostgreSQL needs to restart: waiting costs less than another start of the process. */
const DATABASE_WAIT_MS = 8_000;
const DATABASE_TRY_EVERY_MS = 200;

/** Waits for PostgreSQL, which may start at the same time as this process. */
export async function assertMigratedWithRetry(databaseUrl: string, logger: Logger): Promise<void> {
  const deadline = performance.now() + DATABASE_WAIT_MS;
  for (let tries = 1; ; tries += 1) {
    try {
      return await assertMigrated(databaseUrl);
    } catch (error) {
      if (!(error instanceof PassingStartError) || performance.now() > deadline) throw error;
      if (tries === 1) logger.warn({ reason: error.message }, 'waiting for PostgreSQL');
      await delay(DATABASE_TRY_EVERY_MS);
    }
  }
}

/** Says so when a part could remove what guards history. On a Citus cluster every part needs the role that could. */
export async function warnOfOwner(database: Database, logger: Logger): Promise<void> {
  if (database.isDistributed) return;
  const [found] = await database.shared.$queryRaw<{ owns: boolean }[]>`
    SELECT pg_has_role(current_user, relowner, 'USAGE') AS owns FROM pg_class WHERE oid = to_regclass('bet_trails')`;
  if (found?.owns)
    logger.warn('the role of DATABASE_URL owns the tables: see "Roles of the database" in docs/operations.md');
}

/**
 * Refuses a Redis that may drop waiting work. A process starts without Redis: the check then runs as soon as Redis is
 * ready, and ends the process if it fails.
 */
export async function assertRedisFitsWhenReady(redis: RedisClient, logger: Logger, fail: (error: unknown) => void) {
  const check = () =>
    assertRedisFits(redis).catch((error) => {
      if (error instanceof StartError) throw error;
      logger.warn({ reason: String(error) }, 'Redis could not be checked');
    });
  let lasting: StartError | undefined;
  const noteLasting = (error: Error) => {
    lasting ??= lastingFaultOf(error);
  };
  redis.on('error', noteLasting);
  await redisSettled(redis);
  redis.off('error', noteLasting);
  if (lasting !== undefined) throw lasting;
  if (redis.status === 'ready') await check();
  redis.on('ready', () => {
    check().catch(fail);
  });
}

const SETTLE_MS = 2_000;

function redisSettled(redis: RedisClient): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, SETTLE_MS);
    function done() {
      clearTimeout(timer);
      redis.off('ready', done);
      redis.off('error', done);
      resolve();
    }
    redis.once('ready', done);
    redis.once('error', done);
  });
}
