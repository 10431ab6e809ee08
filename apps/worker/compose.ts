import { createPasswords } from '#access/passwords.js';
import type { Config } from '#config/config.js';
import { createUnitOfWork } from '#ledger/unit-of-work.js';
import type { Logger } from '#logging/logger.js';
import { createMailWork } from '#mail/mail-work.js';
import { createMailer } from '#mail/mailer.js';
import { createHousekeeping } from '#maintenance/housekeeping.js';
import { createOutboxRelay } from '#outbox/relay.js';
import { openClients } from '#process/clients.js';
import type { Running } from '#process/run-process.js';
import { createAccountLocks } from '#queues/account-lock.js';
import { closeAll } from '#queues/closing.js';
import { connectForWorkers } from '#queues/redis.js';
import { createSettlement } from '#settlement/settlement.js';
import { startMailWorker } from './mail-worker.js';
import { startMaintenanceWorker } from './maintenance-worker.js';
import { startSettlementWorker } from './settlement-worker.js';
import { startSweep } from './sweep.js';

/** Config -> clients -> workers. Correctness rests on the rows: any number of worker processes may run. */
export async function startWorker(config: Config, logger: Logger, fail: (error: unknown) => void): Promise<Running> {
  const { database, redis } = await openClients(config, logger, fail);
  const workerRedis = connectForWorkers(config.redisUrl, logger);
  const now = () => new Date();
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    timeoutMs: config.smtpTimeoutMs,
    from: config.mailFrom,
    folder: config.mailFolder,
    logger,
  });
  const mailWork = createMailWork({
    database,
    mailer,
    passwords: createPasswords(config.bcryptCost),
    appUrl: config.appUrl,
    now,
  });
  const queueOptions = { connection: workerRedis, prefix: config.redisPrefix, logger };
  const mailWorker = startMailWorker({ ...queueOptions, database, work: mailWork });
  const relay = createOutboxRelay({ database, redis, prefix: config.redisPrefix, logger });
  const settlement = createSettlement({
    database,
    work: createUnitOfWork({ database, relaySoon: relay.relaySoon, logger }),
    locks: createAccountLocks({ redis, prefix: config.redisPrefix }),
    chunk: config.settlementChunk,
  });
  const settlementWorker = startSettlementWorker({ ...queueOptions, database, settlement });
  const maintenance = startMaintenanceWorker({ ...queueOptions, work: createHousekeeping({ database, now }) });
  const sweep = startSweep({ relay, redis, prefix: config.redisPrefix, now, logger });
  return {
    async close() {
      await sweep.close();
      // Waits for the jobs in hand; what does not finish in time goes back to its queue.
      await closeAll(workerRedis, [mailWorker, settlementWorker, maintenance]);
      await relay.close();
      mailer.close();
      redis.disconnect();
      workerRedis.disconnect();
      await database.$disconnect();
    },
  };
}
