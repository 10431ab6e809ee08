import { signalChannel } from '#events/event-signals.js';
import { closeAll } from '#jobs/closing.js';
import { openQueue, webhookJob, webhookQueue } from '#jobs/queues.js';
import type { Database } from '#platform/database/database.js';
import { isDatabaseAway } from '#platform/database/errors.js';
import { quotas } from '#platform/quotas/quotas.js';
import type { RedisClient } from '#platform/redis/redis.js';
import type { Deliver } from '#webhooks/deliver.js';
import { findDueEndpoints, hasEndpoints } from '#webhooks/delivery-rows.js';
import { QueueWorker, type QueueWorkerOptions, toBackOfQueue, workerOptions } from './queue-worker.js';
import type { InTurnOfAccount } from './turns-of-accounts.js';

/** A look finds what is due for another try, and events whose signal got lost. */
const LOOK_EVERY_MS = 1_000;
/** Signals of this time share a look. */
const LOOK_AFTER_SIGNAL_MS = 50;

export interface WebhookWorkerOptions extends QueueWorkerOptions {
  readonly database: Database;
  /** A connection whose commands fail at once without Redis. */
  readonly redis: RedisClient;
  /** A connection of its own: it subscribes. */
  readonly subscriber: RedisClient;
  readonly deliver: Deliver;
  readonly inTurn: InTurnOfAccount;
  readonly now: () => Date;
}

/** One job for each endpoint that has something to deliver, however many workers look. */
export function startWebhookWorker(options: WebhookWorkerOptions): {
  readonly worker: QueueWorker;
  close(): Promise<void>;
} {
  const { deliver, inTurn, logger } = options;
  const worker = new QueueWorker(
    webhookQueue.name,
    async (job, token) => {
      const { accountId, endpointId: id } = webhookJob.parse(job.data);
      const turn = { quota: 'webhook-turns', accountId, job, token } as const;
      try {
        if ((await inTurn(turn, () => deliver({ accountId, id }))) === 'more') await toBackOfQueue(job, token);
      } catch (error) {
        // The endpoint is due again when its lease has ended.
        if (!isDatabaseAway(error)) throw error;
        logger.warn({ job: job.id, reason: String(error) }, 'webhooks wait for PostgreSQL');
      }
    },
    // Most of them wait for a receiver.
    workerOptions(options, webhookQueue, quotas['webhook-turns'].whole),
  );
  worker.on('completed', (job) => logger.debug({ job: job.id, topic: job.name }, 'webhooks job done'));
  worker.on('error', (error) => logger.debug({ reason: error.message }, 'webhooks worker'));
  worker.on('failed', (job, error) => logger.error({ job: job?.id, reason: error.message }, 'webhooks job failed'));
  const looks = startLooks(options);
  return { worker, close: looks.close };
}

/** While no account has an endpoint, the processes that write events need not publish for this one. */
function createListening({
  database,
  subscriber,
  prefix,
}: Pick<WebhookWorkerOptions, 'database' | 'subscriber' | 'prefix'>) {
  let isSubscribed = false;
  return async (): Promise<boolean> => {
    if (isSubscribed || !(await hasEndpoints(database))) return isSubscribed;
    isSubscribed = true;
    // It waits until Redis is there, and is renewed with the connection.
    subscriber.subscribe(signalChannel(prefix)).catch(() => undefined);
    return true;
  };
}

function startLooks({ database, redis, subscriber, prefix, now, logger }: WebhookWorkerOptions) {
  const queue = openQueue(webhookQueue, { redis, prefix });
  const listens = createListening({ database, subscriber, prefix });
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let current: Promise<void> | undefined;
  /** A signal came during a look. */
  let isWanted = false;

  async function look(): Promise<void> {
    if (redis.status !== 'ready' || !(await listens())) return;
    const due = await findDueEndpoints(database, now());
    if (due.length === 0) return;
    const jobs = due.map(({ accountId, id }) => ({
      name: 'deliver',
      data: { accountId: String(accountId), endpointId: String(id) },
      // An endpoint whose job waits or runs gets no other one.
      opts: { deduplication: { id: `${accountId}-${id}` } },
    }));
    await queue.addBulk(jobs);
  }

  function lookIn(ms: number): void {
    const at = performance.now() + ms;
    isWanted ||= current !== undefined;
    if (isClosed || current !== undefined || at >= dueAt) return;
    dueAt = at;
    clearTimeout(timer);
    timer = setTimeout(() => {
      dueAt = Number.POSITIVE_INFINITY;
      current = look()
        .catch((error) => logger.warn({ reason: String(error) }, 'the look for webhooks failed: trying again'))
        .finally(() => {
          current = undefined;
          lookIn(isWanted ? LOOK_AFTER_SIGNAL_MS : LOOK_EVERY_MS);
          isWanted = false;
        });
    }, ms);
  }

  subscriber.on('message', () => lookIn(LOOK_AFTER_SIGNAL_MS));
  lookIn(0);
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await current;
      subscriber.disconnect();
      await closeAll(redis, [queue]);
    },
  };
}
