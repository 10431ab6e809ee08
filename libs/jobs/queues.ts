import { type DefaultJobOptions, Queue } from 'bullmq';
import { z } from 'zod';
import type { RedisClient } from '#platform/redis/redis.js';

// Queue names, job names, payloads and retry options are defined here once; producers and workers parse by them.
// Payloads carry ids only: no address, no token, no code ever enters Redis.

const DAY_SECONDS = 86_400;

export interface QueueDefinition {
  readonly name: string;
  /** Whether a job ends after its attempts and waits for an operator. Ledger work never does. */
  readonly givesUp: boolean;
  readonly options: DefaultJobOptions;
}

/** The worker computes the pause before the next try from the failures in a row, which the job carries. */
const AFTER_FAILURES_IN_A_ROW = 'after-failures-in-a-row';

/** Money must not wait for a provider, so such a job is tried for ever. BullMQ wants a number: at one a minute, centuries. */
const ledgerWork = {
  attempts: 1_000_000_000,
  backoff: { type: AFTER_FAILURES_IN_A_ROW },
  // BullMQ would add one for each try.
  stackTraceLimit: 3,
  removeOnComplete: { age: 7 * DAY_SECONDS, count: 10_000 },
} as const satisfies DefaultJobOptions;

/** One mail for each outbox entry. A job's name is its topic, for readers of Bull Board. */
export const mailQueue = {
  name: 'mail',
  givesUp: true,
  options: {
    // With the back-off doubling from one second, the attempts take about half an hour.
    attempts: 12,
    backoff: { type: 'exponential', delay: 1_000, jitter: 0.2 },
    removeOnComplete: { age: DAY_SECONDS, count: 1_000 },
    removeOnFail: { age: 90 * DAY_SECONDS },
  },
} as const satisfies QueueDefinition;

/** One job for each decision that left bets to settle. It returns to the end of the queue until none is left. */
export const settlementQueue = {
  name: 'settlement',
  givesUp: false,
  options: ledgerWork,
} as const satisfies QueueDefinition;

/** One job for each cancel that left offers of a wager to cancel. It returns to the end of the queue until none is left. */
export const cancellationQueue = {
  name: 'cancellation',
  givesUp: false,
  options: ledgerWork,
} as const satisfies QueueDefinition;

/** One job for each correction of a whole wager: the stored figures of its users are compared with the facts. */
export const portfolioQueue = {
  name: 'portfolio',
  givesUp: false,
  options: ledgerWork,
} as const satisfies QueueDefinition;

/** One job for each export. It never ends undone: after its last run the export itself says that it has failed. */
export const exportQueue = {
  name: 'exports',
  givesUp: false,
  options: ledgerWork,
} as const satisfies QueueDefinition;

/** One job for each preview of more bets than a request computes. After its last run the preview itself says that it has failed. */
export const previewQueue = {
  name: 'previews',
  givesUp: false,
  options: ledgerWork,
} as const satisfies QueueDefinition;

/** One job for each sandbox that is deleted. It returns to the end of the queue until none of its rows is left. */
export const sandboxQueue = {
  name: 'sandboxes',
  givesUp: false,
  options: ledgerWork,
} as const satisfies QueueDefinition;

/** One job for each webhook endpoint that has something to deliver. The rows say what, so a job that fails is added again. */
export const webhookQueue = {
  name: 'webhooks',
  givesUp: true,
  options: {
    attempts: 1,
    removeOnComplete: { age: DAY_SECONDS, count: 1_000 },
    removeOnFail: { age: 30 * DAY_SECONDS, count: 1_000 },
  },
} as const satisfies QueueDefinition;

/** Periodic work. Any number of workers adds one job: BullMQ knows it by its id. */
export const maintenanceQueue = {
  name: 'maintenance',
  givesUp: true,
  options: {
    attempts: 3,
    backoff: { type: 'exponential', delay: 5_000 },
    removeOnComplete: { age: 7 * DAY_SECONDS },
    removeOnFail: { age: 30 * DAY_SECONDS },
  },
} as const satisfies QueueDefinition;

/** The names of the periodic jobs. */
export const maintenanceJobs = ['housekeeping', 'audit'] as const;

export type MaintenanceJob = (typeof maintenanceJobs)[number];

export const queueDefinitions: readonly QueueDefinition[] = [
  settlementQueue,
  cancellationQueue,
  portfolioQueue,
  exportQueue,
  previewQueue,
  sandboxQueue,
  webhookQueue,
  mailQueue,
  maintenanceQueue,
];

/**
 * What stands in front of all keys of a queue. In a cluster they must be in one slot, because BullMQ's scripts change several
 * at once: the part in braces chooses it. So each queue has a slot of its own, unless the configured prefix is in braces.
 */
export const queuePrefix = ({ isCluster }: RedisClient, prefix: string, queue: string): string =>
  isCluster && !prefix.startsWith('{') ? `{${prefix}:${queue}}` : prefix;

/** Points at an outbox entry. Ids are texts: JSON has no bigint. */
export const outboxJob = z.object({
  accountId: z.string().regex(/^\d+$/).transform(BigInt),
  outboxId: z.string().regex(/^\d+$/).transform(BigInt),
  /** Of the request that caused the entry. */
  traceId: z.string().optional(),
  /** Failed tries since the last part of the work that was done. Redis alone has it: it paces the tries. */
  failuresInARow: z.number().optional(),
});

export type OutboxJob = z.input<typeof outboxJob>;

/** A job of the settlement, the cancellation or the portfolio queue. */
export const wagerJob = outboxJob.extend({ wagerId: z.string().regex(/^\d+$/).transform(BigInt) });

/** A job of the export queue. */
export const exportJob = outboxJob.extend({ exportId: z.string().regex(/^\d+$/).transform(BigInt) });

/** A job of the preview queue. */
export const previewJob = outboxJob.extend({ previewId: z.string().regex(/^\d+$/).transform(BigInt) });

/** A job of the sandbox queue. `isGone`: the account of the sandbox is deleted. */
export const sandboxJob = outboxJob.extend({
  sandboxId: z.string().regex(/^\d+$/).transform(BigInt),
  isGone: z.boolean().optional(),
});

/** A job of the webhook queue. */
export const webhookJob = z.object({
  accountId: z.string().regex(/^\d+$/).transform(BigInt),
  endpointId: z.string().regex(/^\d+$/).transform(BigInt),
});

/**
 * The same each time an entry is relayed. It contains the entry's time because Redis may outlive the database: BullMQ
 * ignores a job whose id it has, and a new database starts its ids from one again.
 */
export const outboxJobId = ({ id, createdAt }: { readonly id: bigint; readonly createdAt: Date }): string =>
  `outbox-${id}-${createdAt.getTime()}`;

export interface QueueOptions {
  /** A connection for requests. It logs outages itself. */
  readonly redis: RedisClient;
  readonly prefix: string;
}

/**
 * A queue to add jobs to or to count them. BullMQ would ask Redis for its version first, and refuse the queue for ever when
 * the answer came too late. The process checks that version itself at its start.
 */
export function openQueue<Data = unknown>(
  { name, options }: QueueDefinition,
  { redis, prefix }: QueueOptions,
): Queue<Data> {
  const queue = new Queue<Data>(name, {
    connection: redis,
    prefix: queuePrefix(redis, prefix, name),
    defaultJobOptions: options,
    skipVersionCheck: true,
  });
  queue.on('error', () => undefined);
  return queue;
}
