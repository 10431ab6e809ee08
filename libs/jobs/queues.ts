import type { DefaultJobOptions } from 'bullmq';
import { z } from 'zod';

// Queue names, job names, payloads and retry options are defined here once; producers and workers parse by them.
// Payloads carry ids only: no address, no token, no code ever enters Redis.

const DAY_SECONDS = 86_400;

export interface QueueDefinition {
  readonly name: string;
  readonly options: DefaultJobOptions;
}

/** One mail for each outbox entry. A job's name is its topic, for readers of Bull Board. */
export const mailQueue = {
  name: 'mail',
  options: {
    // With the back-off doubling from one second, the attempts take about an hour.
    attempts: 12,
    backoff: { type: 'exponential', delay: 1_000, jitter: 0.2 },
    removeOnComplete: { age: DAY_SECONDS, count: 1_000 },
    removeOnFail: { age: 90 * DAY_SECONDS },
  },
} as const satisfies QueueDefinition;

/** One job for each decision that left bets to settle. It returns to the end of the queue until none is left. */
export const settlementQueue = {
  name: 'settlement',
  options: {
    // A database away or a conflict is waited for and does not count as an attempt; any other failure is a fault.
    attempts: 10,
    backoff: { type: 'exponential', delay: 500, jitter: 0.2 },
    removeOnComplete: { age: 7 * DAY_SECONDS, count: 10_000 },
    removeOnFail: { age: 90 * DAY_SECONDS },
  },
} as const satisfies QueueDefinition;

/** One job for each cancel that left offers of a wager to cancel. It returns to the end of the queue until none is left. */
export const cancellationQueue = {
  name: 'cancellation',
  options: {
    // Nobody else can end what a cancel has promised: the job goes on trying.
    attempts: Number.MAX_SAFE_INTEGER,
    backoff: { type: 'fixed', delay: 5_000, jitter: 0.2 },
    removeOnComplete: { age: 7 * DAY_SECONDS, count: 10_000 },
    removeOnFail: { age: 90 * DAY_SECONDS },
  },
} as const satisfies QueueDefinition;

/** One job for each correction of a whole wager: the stored figures of its users are compared with the facts. */
export const portfolioQueue = {
  name: 'portfolio',
  options: {
    attempts: 10,
    backoff: { type: 'exponential', delay: 500, jitter: 0.2 },
    removeOnComplete: { age: 7 * DAY_SECONDS, count: 10_000 },
    removeOnFail: { age: 90 * DAY_SECONDS },
  },
} as const satisfies QueueDefinition;

/** Periodic work. A job id names its hour, so that any number of workers adds one job. */
export const maintenanceQueue = {
  name: 'maintenance',
  options: {
    attempts: 3,
    backoff: { type: 'exponential', delay: 5_000 },
    removeOnComplete: { age: 7 * DAY_SECONDS },
    removeOnFail: { age: 30 * DAY_SECONDS },
  },
} as const satisfies QueueDefinition;

export const queueDefinitions: readonly QueueDefinition[] = [
  settlementQueue,
  cancellationQueue,
  portfolioQueue,
  mailQueue,
  maintenanceQueue,
];

/** Points at an outbox entry. Ids are texts: JSON has no bigint. */
export const outboxJob = z.object({
  accountId: z.string().regex(/^\d+$/).transform(BigInt),
  outboxId: z.string().regex(/^\d+$/).transform(BigInt),
  /** Of the request that caused the entry. */
  traceId: z.string().optional(),
});

export type OutboxJob = z.input<typeof outboxJob>;

/** A job of the settlement, the cancellation or the portfolio queue. */
export const wagerJob = outboxJob.extend({ wagerId: z.string().regex(/^\d+$/).transform(BigInt) });

/**
 * The same each time an entry is relayed. It contains the entry's time because Redis may outlive the database: BullMQ
 * ignores a job whose id it has, and a new database starts its ids from one again.
 */
export const outboxJobId = ({ id, createdAt }: { readonly id: bigint; readonly createdAt: Date }): string =>
  `outbox-${id}-${createdAt.getTime()}`;
