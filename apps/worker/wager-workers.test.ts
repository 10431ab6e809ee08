import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAccountLocks } from '#jobs/account-lock.js';
import type { SettlementRun } from '#ledger/settlement.js';
import { connectForRequests, connectForWorkers, type RedisClient } from '#platform/redis/redis.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { openTestQueue, type TestQueue } from '#testing/test-queue.js';
import { waitFor } from '#testing/wait-for.js';
import type { QueueWorker } from './queue-worker.js';
import { startSettlementWorker } from './wager-workers.js';

// When a job's run begins no further chunk, and when the job comes back. The settlement itself follows a script.

const fixture = useLedgerDatabase();
let connections: RedisClient[] = [];
let queue: TestQueue;
let stop: AbortController;
let worker: QueueWorker | undefined;
/** What the first run was told before each chunk but the first. */
let mayGoOn: boolean[];
/** How long the job waited before its second run. */
let awayMs: number;

/** In the first run two chunks are settled, one behind the other; the second one ends the settlement. */
async function startWorker(beforeFirstChunk: () => Promise<unknown>) {
  const { database, environment } = fixture;
  const { logger, redisPrefix: prefix } = environment;
  const settings = environment.config().redis;
  const [connection, redis] = [connectForWorkers(settings, logger), connectForRequests(settings, logger)];
  connections = [connection, redis];
  await waitFor(() => connections.every(({ status }) => status === 'ready'));
  const locks = createAccountLocks({ redis, prefix });
  let endedAt: number | undefined;
  const settle = async (_job: unknown, run: SettlementRun) => {
    if (endedAt !== undefined) {
      awayMs = performance.now() - endedAt;
      return 'done';
    }
    await beforeFirstChunk();
    for (const _chunk of ['first', 'second']) {
      mayGoOn.push(run.mayGoOn());
      await run.onSettled({ settledCount: 1, isComplete: false }, 3);
    }
    mayGoOn.push(run.mayGoOn());
    endedAt = performance.now();
    return 'more';
  };
  const options = { database, connection, prefix, logger, locks, signal: stop.signal };
  worker = startSettlementWorker({ ...options, settlement: { settle } });
  return locks;
}

beforeAll(() => {
  queue = openTestQueue(fixture.environment, 'settlement');
});

beforeEach(() => {
  stop = new AbortController();
  mayGoOn = [];
  awayMs = NaN;
});

afterEach(async () => {
  await worker?.close();
  for (const connection of connections) connection.disconnect();
});

afterAll(() => queue?.close());

const runJob = async () => {
  await queue.queue.add('settle-wager', { accountId: '1', outboxId: '1', wagerId: '1' });
  await waitFor(() => !Number.isNaN(awayMs));
};

/** A rejected job tries again after half of this. */
const LET_OTHERS_MS = 100;

describe('a run of a settlement', () => {
  it('goes on while nobody waits, and its job comes back at once', async () => {
    await startWorker(async () => undefined);
    await runJob();
    expect(mayGoOn).toEqual([true, true, true]);
  });

  it('begins no further chunk when another job of the account waits, and lets it come first', async () => {
    const locks = await startWorker(() =>
      locks.tryHolding(1n, () => locks.tryHolding(1n, async () => 'rejected, so it is marked as waiting')),
    );
    await runJob();
    expect(mayGoOn).toEqual([true, false, false]);
    expect(awayMs).toBeGreaterThanOrEqual(LET_OTHERS_MS - 5);
  });

  it('begins no further chunk when the worker stops', async () => {
    await startWorker(async () => stop.abort());
    await runJob();
    expect(mayGoOn).toEqual([false, false, false]);
  });
});
