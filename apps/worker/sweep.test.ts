import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createOutboxRelay, type OutboxRelay } from '#jobs/relay.js';
import { connectForWorkers, type RedisClient } from '#platform/redis/redis.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { openTestQueue, type TestQueue } from '#testing/test-queue.js';
import { waitFor } from '#testing/wait-for.js';
import { startSweep } from './sweep.js';

const fixture = useLedgerDatabase();
let redis: RedisClient;
let relay: OutboxRelay;
let sweep: { close(): Promise<void> };
let maintenance: TestQueue;
let sweeps = 0;

beforeAll(async () => {
  const { database, environment } = fixture;
  const { logger, redisPrefix: prefix } = environment;
  redis = connectForWorkers(environment.config().redis, logger);
  await waitFor(() => redis.status === 'ready');
  maintenance = openTestQueue(environment, 'maintenance');
  relay = createOutboxRelay({ database, redis, prefix, logger });
  const counted: OutboxRelay = {
    ...relay,
    sweep(options) {
      sweeps += 1;
      return relay.sweep(options);
    },
  };
  sweep = startSweep({ relay: counted, database, redis, prefix, now: () => new Date(), logger });
});

afterAll(async () => {
  await sweep?.close();
  await relay?.close();
  await maintenance?.close();
  redis?.disconnect();
});

const housekeeping = async () => {
  const jobs = await maintenance.queue.getJobs(['waiting', 'active']);
  return jobs.filter((job) => job?.name === 'housekeeping');
};

/** Redis forgets, as after a minute, that the job was added. Then a whole sweep passes. */
async function letAMinutePass(): Promise<void> {
  await maintenance.queue.removeDeduplicationKey('housekeeping');
  const before = sweeps;
  await waitFor(() => sweeps >= before + 2);
}

it('adds a housekeeping job a minute, and none while one waits', async () => {
  await waitFor(async () => (await housekeeping()).length === 1);
  await letAMinutePass();
  expect(await housekeeping()).toHaveLength(1);
  await (await housekeeping())[0]?.remove();
  await letAMinutePass();
  expect(await housekeeping()).toHaveLength(1);
});
