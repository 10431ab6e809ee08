import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { addQueueMetrics } from '#jobs/metrics/queue-metrics.js';
import { writeEntries } from '#jobs/outbox.js';
import { createOutboxRelay } from '#jobs/relay.js';
import { createMetrics } from '#platform/metrics/metrics.js';
import { connectForMessages, connectForRequests, connectForWorkers, type RedisClient } from '#platform/redis/redis.js';
import { samplesIn } from '#testing/metrics.js';
import { waitFor } from '#testing/wait-for.js';
import { useWebhooks } from '#testing/webhook-fixture.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import type { PrivateService } from '#tools/services/service-process.js';
import { startSweep } from '../sweep.js';
import { createTurnsOfAccounts } from '../turns-of-accounts.js';
import { startWebhookWorker } from '../webhook-worker.js';

// Redis hangs from the moment in which a worker opens its queues until their first commands have failed.

const hooks = useWebhooks();
let service: PrivateService;
let redis: RedisClient;
let workerRedis: RedisClient;

beforeEach(async () => {
  const { folder, logger } = hooks.environment();
  service = await startPrivateRedis({ dataDir: path.join(folder, 'redis'), persistent: false });
  redis = connectForRequests({ url: service.url }, logger);
  workerRedis = connectForWorkers({ url: service.url }, logger);
  await waitFor(() => redis.status === 'ready' && workerRedis.status === 'ready');
});

afterEach(async () => {
  redis?.disconnect();
  workerRedis?.disconnect();
  await service?.stop();
});

function startParts(onDelivery: () => void) {
  const { database, environment } = hooks;
  const shared = { database, redis, prefix: 'test', logger: environment().logger, now: () => new Date() };
  const metrics = createMetrics();
  const counts = addQueueMetrics(metrics, shared);
  const relay = createOutboxRelay(shared);
  const webhooks = startWebhookWorker({
    ...shared,
    connection: workerRedis,
    subscriber: connectForMessages({ url: service.url }),
    inTurn: createTurnsOfAccounts(database, () => undefined),
    deliver: async () => {
      onDelivery();
      return 'done';
    },
  });
  const sweep = startSweep({ ...shared, relay });
  return {
    async waiting(): Promise<string[]> {
      const samples = samplesIn(await metrics.scrape()).filter(({ name }) => name === 'ledger_queue_jobs');
      return samples.flatMap(({ labels, value }) =>
        labels.state === 'waiting' && value > 0 ? [`${labels.queue}`] : [],
      );
    },
    async close() {
      await Promise.all([sweep.close(), webhooks.close(), webhooks.worker.close(true)]);
      await Promise.all([relay.close(), counts.close()]);
    },
  };
}

it('relays, delivers and counts once Redis answers, without a restart', async () => {
  await hooks.make('ordered');
  await hooks.happen(1);
  const work = { accountId: 1n, topic: 'settle-wager', payload: { wagerId: '7' } } as const;
  await hooks.change((tx) => writeEntries(tx, [work]));
  let delivered = 0;
  process.kill(service.pid, 'SIGSTOP');
  const parts = startParts(() => {
    delivered += 1;
  });
  try {
    const { logLines } = hooks.environment();
    const failed = (text: string) => waitFor(() => logLines.some((line) => line.includes(text)));
    await Promise.all([failed('sweep failed'), failed('the look for webhooks failed')]);
    process.kill(service.pid, 'SIGCONT');
    await waitFor(async () => (await parts.waiting()).includes('settlement'));
    await waitFor(async () => (await parts.waiting()).includes('maintenance'));
    await waitFor(() => delivered > 0);
    expect(await hooks.query('SELECT relayed_at FROM outbox')).toEqual([{ relayed_at: expect.any(Date) }]);
  } finally {
    process.kill(service.pid, 'SIGCONT');
    await parts.close();
  }
});
