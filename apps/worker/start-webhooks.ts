import { resealFactors } from '#accounts/second-factor/reseal-factors.js';
import type { OnLogged } from '#events/event-signals.js';
import { hearOfLoggedEvents } from '#events/log-events.js';
import type { OutboxRelay } from '#jobs/relay.js';
import type { Config } from '#platform/config/config.js';
import { connectDatabase, type Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { connectForMessages, type RedisClient } from '#platform/redis/redis.js';
import { createSealedBox } from '#platform/secrets/sealed-box.js';
import { createDeliver } from '#webhooks/deliver.js';
import { resealSecrets } from '#webhooks/reseal-secrets.js';
import { createSecretBox, type SecretBox } from '#webhooks/secret-box.js';
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

/** With the present key, so that an old one can be dropped. */
async function resealAll(database: Database, secretBox: SecretBox, { webhookKeys }: Config, logger: Logger) {
  const factorBox = createSealedBox(webhookKeys);
  const parts = {
    'webhook endpoints': await resealSecrets(database, secretBox),
    'second factors': factorBox && (await resealFactors(database.shared, factorBox)),
  };
  for (const [what, { resealed, unreadable } = { resealed: 0, unreadable: 0 }] of Object.entries(parts)) {
    if (resealed > 0) logger.info({ secrets: resealed }, `secrets of ${what} have the present WEBHOOK_KEY`);
    if (unreadable > 0) {
      logger.error({ secrets: unreadable }, `secrets of ${what} need another WEBHOOK_KEY: drop no old one`);
    }
  }
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
  await resealAll(database, secretBox, config, logger);
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
