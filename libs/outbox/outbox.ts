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
  readonly createdAt: Date;
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
      const select = { id: true, createdAt: true };
      const row = await transaction.outboxEntry.create({ data: { accountId, topic }, select });
      entries.push({ accountId, topic, ...row });
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

export interface LeftEntry extends OutboxEntry {
  /** Its queue may know the job already, and how it ended. */
  readonly relayedBefore: boolean;
}

/** Takes entries that nobody has relayed, or whose job seems lost. Two sweeps never take the same one at once. */
export async function claimLeftEntries(
  database: Queryable,
  { limit, unrelayedForMs, relayedForMs }: ClaimOptions,
): Promise<LeftEntry[]> {
  return database.$queryRaw<LeftEntry[]>`
    WITH claimed AS (
       SELECT account_id, id, relayed_at FROM outbox
        WHERE done_at IS NULL AND failed_at IS NULL
          AND CASE WHEN relayed_at IS NULL THEN created_at <= now() - ${unrelayedForMs} * interval '1 ms'
                   ELSE relayed_at <= now() - ${relayedForMs} * interval '1 ms' END
        ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE outbox o SET relayed_at = now() FROM claimed c WHERE o.account_id = c.account_id AND o.id = c.id
    RETURNING o.account_id AS "accountId", o.id, o.topic, o.created_at AS "createdAt",
              c.relayed_at IS NOT NULL AS "relayedBefore"`;
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
    select: { accountId: true, id: true, topic: true, createdAt: true, doneAt: true },
  });
  if (row === null || row.doneAt !== null) return undefined;
  const { topic, createdAt } = row;
  return { accountId, id, topic: topic as OutboxTopic, createdAt };
}

/** Whether the entry is undone and its account has no newer one of the topic, done or not. */
export async function isNewestAndUndone(
  database: Queryable,
  { accountId, id, topic }: EntryKey & Pick<OutboxEntry, 'topic'>,
): Promise<boolean> {
  const newest = await database.outboxEntry.findFirst({
    where: { accountId, topic },
    orderBy: { id: 'desc' },
    select: { id: true, doneAt: true },
  });
  return newest?.id === id && newest.doneAt === null;
}

/** Ends what the account still waits for of this topic. */
export async function markTopicDone(database: Queryable, accountId: bigint, topic: OutboxTopic): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET done_at = now(), failed_at = NULL, failure = NULL
     WHERE account_id = ${accountId} AND topic = ${topic} AND done_at IS NULL`;
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
