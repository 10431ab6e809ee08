import type { DefaultJobOptions } from 'bullmq';
import { z } from 'zod';

// Queue names, job names, payloads and retry options live here once; both ends parse what they read.
// Payloads carry ids only: no address, no token, no code ever enters Redis.

const DAY_SECONDS = 86_400;

export interface QueueDefinition {
  readonly name: string;
  readonly options: DefaultJobOptions;
}

/** One mail for each outbox entry. The job's name is the outbox topic, for people who read Bull Board. */
export const mailQueue = {
  name: 'mail',
  options: {
    // With the doubling back-off from one second: about an hour of trying.
    attempts: 12,
    backoff: { type: 'exponential', delay: 1_000, jitter: 0.2 },
    removeOnComplete: { age: DAY_SECONDS, count: 1_000 },
    removeOnFail: { age: 90 * DAY_SECONDS },
  },
} as const satisfies QueueDefinition;

/** One job for each decision that left bets to settle. It comes back, behind all others, until none is left. */
export const settlementQueue = {
  name: 'settlement',
  options: {
    // What passes (a database away, a conflict) is waited for and does not count; the rest is a fault to look at.
    attempts: 10,
    backoff: { type: 'exponential', delay: 500, jitter: 0.2 },
    removeOnComplete: { age: 7 * DAY_SECONDS, count: 10_000 },
    removeOnFail: { age: 90 * DAY_SECONDS },
  },
} as const satisfies QueueDefinition;

/** One job for each correction of a whole wager: what is kept of its users is compared with the facts. */
export const portfolioQueue = {
  name: 'portfolio',
  options: {
    attempts: 10,
    backoff: { type: 'exponential', delay: 500, jitter: 0.2 },
    removeOnComplete: { age: 7 * DAY_SECONDS, count: 10_000 },
    removeOnFail: { age: 90 * DAY_SECONDS },
  },
} as const satisfies QueueDefinition;

/** Periodic work. A job id names its hour, so that any number of workers makes one job of it. */
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
  portfolioQueue,
  mailQueue,
  maintenanceQueue,
];

/** Points at an outbox entry. Ids are texts: JSON has no bigint. */
export const outboxJob = z.object({
  accountId: z.string().regex(/^\d+$/).transform(BigInt),
  outboxId: z.string().regex(/^\d+$/).transform(BigInt),
  /** Of the request that it follows from. */
  traceId: z.string().optional(),
});

export type OutboxJob = z.input<typeof outboxJob>;

/** Of the settlement and the portfolio queue. */
export const wagerJob = outboxJob.extend({ wagerId: z.string().regex(/^\d+$/).transform(BigInt) });

/**
 * The same for an entry however often it is handed over. With its time, because Redis may outlive the database: BullMQ
 * ignores a job whose id it has seen, and a new database counts its ids from one again.
 */
export const outboxJobId = ({ id, createdAt }: { readonly id: bigint; readonly createdAt: Date }): string =>
  `outbox-${id}-${createdAt.getTime()}`;
