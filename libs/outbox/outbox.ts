import { type Database, Prisma, type Queryable, type Transaction, withTransaction } from '#database/database.js';
import { mailQueue } from '#queues/queues.js';

/** What may be written into the outbox, and the queue that each topic goes to. */
export const topicQueues = {
  'verification-mail': mailQueue.name,
  'password-reset-mail': mailQueue.name,
  'password-changed-mail': mailQueue.name,
} as const;

export type OutboxTopic = keyof typeof topicQueues;

export interface OutboxEntry {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly topic: OutboxTopic;
}

/** Stands for nobody: an entry that costs what a real one costs and leads to nothing. */
export const NOBODY = 0n;

/** Hands entries to their queues right after the commit. Must not throw: what is left, the sweep relays. */
export type RelaySoon = (entries: readonly OutboxEntry[]) => void;

export type Announce = (accountId: bigint, topic: OutboxTopic) => Promise<void>;

/**
 * Runs a transaction whose announcements become queue jobs if, and only if, it commits: each is a row written with the
 * effect it belongs to.
 */
export async function withOutbox<Result>(
  database: Database,
  relaySoon: RelaySoon,
  use: (transaction: Transaction, announce: Announce) => Promise<Result>,
): Promise<Result> {
  const entries: OutboxEntry[] = [];
  const result = await withTransaction(database, (transaction) =>
    use(transaction, async (accountId, topic) => {
      const row = await transaction.outboxEntry.create({ data: { accountId, topic }, select: { id: true } });
      entries.push({ accountId, id: row.id, topic });
    }),
  );
  if (entries.length > 0) relaySoon(entries);
  return result;
}

export interface ClaimOptions {
  readonly limit: number;
  /** Leaves what was just written to the process that wrote it. */
  readonly unrelayedForMs: number;
  /** Relays again what a queue seems to have lost. */
  readonly relayedForMs: number;
}

/** Takes entries that nobody has relayed, or whose job seems lost. Two sweeps never take the same one at once. */
export async function claimLeftEntries(
  database: Queryable,
  { limit, unrelayedForMs, relayedForMs }: ClaimOptions,
): Promise<OutboxEntry[]> {
  return database.$queryRaw<OutboxEntry[]>`
    UPDATE outbox SET relayed_at = now()
     WHERE (account_id, id) IN (
       SELECT account_id, id FROM outbox
        WHERE done_at IS NULL AND failed_at IS NULL
          AND CASE WHEN relayed_at IS NULL THEN created_at <= now() - ${unrelayedForMs} * interval '1 ms'
                   ELSE relayed_at <= now() - ${relayedForMs} * interval '1 ms' END
        ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING account_id AS "accountId", id, topic`;
}

const keysOf = (entries: readonly OutboxEntry[]) =>
  Prisma.join(entries.map(({ accountId, id }) => Prisma.sql`(${accountId}::bigint, ${id}::bigint)`));

export async function markRelayed(database: Queryable, entries: readonly OutboxEntry[]): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET relayed_at = now() WHERE (account_id, id) IN (${keysOf(entries)})`;
}

/** Gives back what could not be handed on. */
export async function markUnrelayed(database: Queryable, entries: readonly OutboxEntry[]): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET relayed_at = NULL WHERE (account_id, id) IN (${keysOf(entries)})`;
}

export type EntryKey = Pick<OutboxEntry, 'accountId' | 'id'>;

/** The entry, unless its work is done already. One that failed is found: an operator may have asked to try again. */
export async function findUndoneEntry(
  database: Queryable,
  { accountId, id }: EntryKey,
): Promise<OutboxEntry | undefined> {
  const row = await database.outboxEntry.findUnique({
    where: { accountId_id: { accountId, id } },
    select: { accountId: true, id: true, topic: true, doneAt: true },
  });
  if (row === null || row.doneAt !== null) return undefined;
  return { accountId: row.accountId, id: row.id, topic: row.topic as OutboxTopic };
}

export async function markDone(database: Queryable, { accountId, id }: EntryKey): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET done_at = now(), failed_at = NULL, failure = NULL WHERE account_id = ${accountId} AND id = ${id}`;
}

export async function markFailed(database: Queryable, { accountId, id }: EntryKey, failure: string): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET failed_at = now(), failure = ${failure}
     WHERE account_id = ${accountId} AND id = ${id} AND done_at IS NULL`;
}

export async function deleteDoneEntries(database: Queryable, olderThan: Date): Promise<number> {
  return database.$executeRaw`DELETE FROM outbox WHERE done_at < ${olderThan}`;
}
