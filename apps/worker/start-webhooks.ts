import type { OnLogged } from '#events/event-signals.js';
import { hearOfLoggedEvents } from '#events/log-events.js';
import type { OutboxRelay } from '#jobs/relay.js';
import type { Config } from '#platform/config/config.js';
import { connectDatabase } from '#platform/database/database.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { connectForMessages, type RedisClient } from '#platform/redis/redis.js';
import { createDeliver } from '#webhooks/deliver.js';
import { resealSecrets } from '#webhooks/reseal-secrets.js';
import { createSecretBox } from '#webhooks/secret-box.js';
import { createSender, createSockets } from '#webhooks/sender.js';
import { addAttemptMetrics } from '#webhooks/webhook-metrics.js';
import type { QueueWorker, QueueWorkerOptions } from './queue-worker.js';
import type { InTurnOfAccount } from './turns-of-accounts.js';
import { startWebhookWorker } from './webhook-worker.js';

/** Of its own, so that many endpoints take none from settlement. */
const CONNECTIONS = 4;

export interface WebhooksOptions extends QueueWorkerOptions {
  readonly redis: RedisClient;
  readonly relay: OutboxRelay;
  readonly onLogged: OnLogged;
  readonly metrics: Metrics;
  readonly inTurn: InTurnOfAccount;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

export interface Webhooks {
  readonly workers: readonly QueueWorker[];
  /** Ends the looks; the workers end with the others. */
  close(): Promise<void>;
  disconnect(): Promise<void>;
}

/** Without a key nothing is sent: the endpoints stay where they are. */
export async function startWebhooks(config: Config, options: WebhooksOptions): Promise<Webhooks> {
  const { metrics, relay, onLogged, logger, now, signal } = options;
  const observe = addAttemptMetrics(metrics);
  const secretBox = createSecretBox(config.webhookKeys);
  if (secretBox === undefined) {
    logger.warn('WEBHOOK_KEY is not set: no webhooks are sent');
    return { workers: [], close: async () => undefined, disconnect: async () => undefined };
  }
  const database = await connectDatabase({
    url: config.databaseUrl,
    connections: CONNECTIONS,
    onConnectionError: (error) => logger.warn({ reason: error.message }, 'database connection lost'),
  });
  hearOfLoggedEvents(database, onLogged, logger);
  const { resealed, unreadable } = await resealSecrets(database, secretBox);
  if (resealed > 0) logger.info({ endpoints: resealed }, 'secrets of webhook endpoints have the present WEBHOOK_KEY');
  if (unreadable > 0) {
    logger.error({ endpoints: unreadable }, 'secrets of webhook endpoints need another WEBHOOK_KEY: drop no old one');
  }
  const deliver = createDeliver({
    database,
    secretBox,
    send: createSender({ allowPrivate: config.allowPrivateWebhooks }),
    sockets: createSockets(),
    relaySoon: relay.relaySoon,
    now,
    random: Math.random,
    observe,
    signal,
    logger,
  });
  const subscriber = connectForMessages(config.redis);
  const { worker, close } = startWebhookWorker({ ...options, database, subscriber, deliver });
  return { workers: [worker], close, disconnect: () => database.disconnect() };
}
