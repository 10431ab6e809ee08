import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import { type Database, openDatabase, withTx } from '#platform/database/database.js';
import { connectForRequests, connectForWorkers, type RedisClient } from '#platform/redis/redis.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { unlessStandingStill } from '#testing/standstills.js';
import { waitFor } from '#testing/wait-for.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import {
  findUndoneEntry,
  markDone,
  markFailed,
  type NewEntry,
  type OutboxEntry,
  topicQueues,
  writeEntries,
} from './outbox.js';
import { mailQueue, outboxJobId, settlementQueue } from './queues.js';
import { createOutboxRelay, type OutboxRelay } from './relay.js';

let environment: TestEnvironment;
let database: Database;
let redis: RedisClient;
let relay: OutboxRelay;
let queues: readonly Queue[];

beforeAll(async () => {
  environment = await createTestEnvironment();
  database = openDatabase({ url: environment.database.url, connections: 5, onConnectionError: () => undefined });
  // Without the time limit of requests, which a busy machine may exceed.
  redis = connectForWorkers(environment.config().redis, environment.logger);
  await waitFor(() => redis.status === 'ready');
  queues = [mailQueue, settlementQueue].map(
    ({ name }) => new Queue(name, { connection: redis, prefix: environment.redisPrefix }),
  );
});

afterAll(async () => {
  await Promise.all((queues ?? []).map((queue) => queue.close()));
  redis?.disconnect();
  await database?.disconnect();
  await environment?.close();
});

const relayThrough = (connection: RedisClient) =>
  createOutboxRelay({
    database,
    redis: connection,
    prefix: environment.redisPrefix,
    logger: environment.logger,
  });

beforeEach(async () => {
  await environment.database.query('DELETE FROM outbox');
  await environment.emptyRedis();
  relay = relayThrough(redis);
});

afterEach(() => relay.close());

const settlement: NewEntry = { accountId: 1n, topic: 'settle-wager', payload: { wagerId: '7', traceId: 'trace-1' } };
const mail: NewEntry = { accountId: 1n, topic: 'verification-mail', payload: {} };

const write = (...entries: readonly NewEntry[]) => withTx(database.of(1n), (tx) => writeEntries(tx, entries));

async function jobs(): Promise<Job[]> {
  return (await Promise.all(queues.map((queue) => queue.getJobs()))).flat();
}

const jobIds = async () => (await jobs()).map(({ id }) => id);

const relayedAt = async () =>
  (await environment.database.query('SELECT relayed_at FROM outbox ORDER BY id')).map((row) => row.relayed_at);

/** Lets the time pass after which a sweep takes new entries, and again those whose job seems lost. */
const age = () =>
  environment.database.query(
    `UPDATE outbox SET relayed_at = relayed_at - interval '31 s',
            created_at = CASE WHEN relayed_at IS NULL THEN created_at - interval '3 s' ELSE created_at END`,
  );

describe('relaySoon', () => {
  it('makes one job of each entry, with its ids and payload', async () => {
    const [first, second] = await write(settlement, mail);
    relay.relaySoon([first as OutboxEntry, second as OutboxEntry]);
    await relay.close();
    const [mailJob, settlementJob] = await jobs();
    expect(mailJob).toMatchObject({
      name: 'verification-mail',
      data: { accountId: '1', outboxId: String(second?.id) },
    });
    expect(settlementJob).toMatchObject({
      name: 'settle-wager',
      queueName: 'settlement',
      data: { accountId: '1', outboxId: String(first?.id), wagerId: '7', traceId: 'trace-1' },
    });
    expect(await relayedAt()).toEqual([expect.any(Date), expect.any(Date)]);
  });

  it('makes one job of an entry that is relayed twice', async () => {
    const entries = await write(settlement);
    relay.relaySoon(entries);
    relay.relaySoon(entries);
    await relay.close();
    expect(await jobIds()).toEqual(entries.map(outboxJobId));
  });
});

describe('the sweep', () => {
  it('relays entries that were never relayed, and leaves fresh ones to their process', () =>
    // Entries are fresh for two seconds.
    unlessStandingStill(async () => {
      await environment.database.query('DELETE FROM outbox');
      await environment.emptyRedis();
      const entries = await write(settlement, mail);
      expect(await relay.sweep()).toBe(0);
      await age();
      expect(await relay.sweep()).toBe(2);
      expect(await jobs()).toHaveLength(2);
      expect(await relay.sweep()).toBe(0);
      expect(await relayedAt()).toHaveLength(entries.length);
    }, environment.database));

  it('relays each entry once when two sweeps run at the same time', async () => {
    await write(...Array.from({ length: 50 }, () => mail));
    await age();
    const other = relayThrough(redis);
    const counts = await Promise.all([relay.sweep(), other.sweep()]);
    await other.close();
    expect(counts[0] + counts[1]).toBe(50);
    expect(await jobs()).toHaveLength(50);
  });

  it('relays an entry again when its job is lost', async () => {
    relay.relaySoon(await write(settlement));
    await waitFor(async () => (await relayedAt())[0] !== null);
    await environment.emptyRedis();
    expect(await relay.sweep()).toBe(0);
    expect(await relay.sweep({ all: true })).toBe(1);
    expect(await jobs()).toHaveLength(1);
    await environment.emptyRedis();
    await age();
    expect(await relay.sweep()).toBe(1);
    expect(await jobs()).toHaveLength(1);
  });

  it('relays no failed mail and no done entry again', async () => {
    const [failed, done] = await write(mail, settlement);
    await markFailed(database.of(1n), failed as OutboxEntry, 'no reason');
    await markDone(database.of(1n), done as OutboxEntry);
    await age();
    expect(await relay.sweep()).toBe(0);
    expect(await jobs()).toEqual([]);
  });

  it('relays ledger work however often it failed', async () => {
    const [work, letter] = await write(settlement, mail);
    for (const entry of [work, letter]) await markFailed(database.of(1n), entry as OutboxEntry, 'no reason');
    await age();
    expect(await relay.sweep()).toBe(1);
    expect((await jobs()).map(({ data }) => data.outboxId)).toEqual([String(work?.id)]);
    expect(await relay.sweep({ all: true })).toBe(1);
  });
});

describe('the sweep finds an ended job of an undone entry', () => {
  /** Runs the job of an entry to its end, without a word of it in the database. */
  async function endJobs(
    process: () => Promise<void>,
    { state, work = mail }: { state: 'failed' | 'completed'; work?: NewEntry },
  ): Promise<OutboxEntry> {
    const [entry] = await write(work);
    await age();
    await relay.sweep();
    const connection = connectForWorkers(environment.config().redis, environment.logger);
    const worker = new Worker(topicQueues[work.topic], process, { connection, prefix: environment.redisPrefix });
    await waitFor(async () => (await (await jobs())[0]?.getState()) === state);
    await worker.close();
    connection.disconnect();
    await age();
    return entry as OutboxEntry;
  }

  it('and stores the failure that the worker could not store', async () => {
    const entry = await endJobs(
      async () => {
        throw new UnrecoverableError('no such server');
      },
      { state: 'failed' },
    );
    expect(await relay.sweep()).toBe(1);
    const [row] = await environment.database.query('SELECT failed_at, failure FROM outbox');
    expect(row).toEqual({ failed_at: expect.any(Date), failure: 'no such server' });
    await age();
    expect(await relay.sweep()).toBe(0);
    expect(await findUndoneEntry(database.of(1n), entry)).toBeDefined();
  });

  it('and repeats work that the database does not know of', async () => {
    await endJobs(async () => undefined, { state: 'completed' });
    expect(await relay.sweep()).toBe(1);
    const [job] = await jobs();
    expect(await job?.getState()).toBe('waiting');
  });

  it('and starts ledger work again that BullMQ has ended', async () => {
    await endJobs(
      async () => {
        throw new UnrecoverableError('job stalled more than allowable limit');
      },
      { state: 'failed', work: settlement },
    );
    expect(await relay.sweep()).toBe(1);
    const [job] = await jobs();
    expect([await job?.getState(), job?.attemptsMade]).toEqual(['waiting', 0]);
    expect(await environment.database.query('SELECT failed_at FROM outbox')).toEqual([{ failed_at: null }]);
  });
});

describe('while Redis is away', () => {
  it('entries wait, and are relayed when it is back', async () => {
    const options = { dataDir: path.join(environment.folder, 'redis'), persistent: false };
    let service = await startPrivateRedis(options);
    const settings = { ...environment.config().redis, url: service.url };
    const connection = connectForRequests(settings, environment.logger);
    await waitFor(() => connection.status === 'ready');
    const unlucky = relayThrough(connection);
    await service.stop();
    await waitFor(() => connection.status !== 'ready');
    try {
      unlucky.relaySoon(await write(settlement));
      await age();
      expect(await unlucky.sweep()).toBe(0);
      expect(await relayedAt()).toEqual([null]);
      service = await startPrivateRedis({ ...options, port: service.port });
      await waitFor(() => connection.status === 'ready');
      expect(await unlucky.sweep()).toBe(1);
      const queue = new Queue(settlementQueue.name, { connection, prefix: environment.redisPrefix });
      expect(await queue.getJobs()).toHaveLength(1);
      await queue.close();
    } finally {
      await unlucky.close();
      connection.disconnect();
      await service.stop();
    }
  });

  it('a sweep that Redis does not answer gives its entries back', async () => {
    const service = await startPrivateRedis({ dataDir: path.join(environment.folder, 'hanging'), persistent: false });
    const connection = connectForRequests({ url: service.url }, environment.logger);
    await waitFor(() => connection.status === 'ready');
    const unlucky = relayThrough(connection);
    await write(settlement);
    await age();
    service.kill('SIGSTOP');
    try {
      await expect(unlucky.sweep()).rejects.toThrow('timed out');
      expect(await relayedAt()).toEqual([null]);
      unlucky.relaySoon(await write(mail));
      await waitFor(() => environment.logLines.some((line) => line.includes('outbox entries are left to the sweep')));
      service.kill('SIGCONT');
      await age();
      expect(await waitFor(async () => (await unlucky.sweep().catch(() => 0)) || undefined)).toBe(2);
    } finally {
      service.kill('SIGCONT');
      await unlucky.close();
      connection.disconnect();
      await service.stop();
    }
  });
});
