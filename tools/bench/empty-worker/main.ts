import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

// The lowest cost of a job: a BullMQ worker that does nothing.

const { REDIS_URL = '', REDIS_PREFIX = '', QUEUE = '', CONCURRENCY = '1' } = process.env;
const connection = new Redis(REDIS_URL, { maxRetriesPerRequest: null });
connection.on('error', () => undefined); // Redis is stopped at the end
const worker = new Worker(QUEUE, async () => undefined, {
  connection,
  prefix: REDIS_PREFIX,
  concurrency: Number(CONCURRENCY),
});
worker.on('error', () => undefined);
await worker.waitUntilReady();
process.send?.({ type: 'ready' });
process.on('disconnect', () => process.exit(0));
