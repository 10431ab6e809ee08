import { Prisma, type Queryable, type Tx } from '#platform/database/database.js';
import { currentTraceId, tracePayload } from '#platform/tracing/tracing.js';
import { mailQueue, portfolioQueue, settlementQueue } from './queues.js';

/** What may be written into the outbox, and the queue that each topic goes to. */
export const topicQueues = {
  'verification-mail': mailQueue.name,
  'password-reset-mail': mailQueue.name,
  'password-changed-mail': mailQueue.name,
  'settle-wager': settlementQueue.name,
  'check-portfolios': portfolioQueue.name,
} as const;

export type OutboxTopic = keyof typeof topicQueues;

/** The topics of one queue. */
export type TopicOf<Queue extends { readonly name: string }> = {
  [Topic in OutboxTopic]: (typeof topicQueues)[Topic] extends Queue['name'] ? Topic : never;
}[OutboxTopic];

export interface OutboxEntry {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly topic: OutboxTopic;
  /** What the job is about, as ids; empty where the account says it all. And the trace of the request it follows from. */
  readonly payload: OutboxPayload;
  readonly createdAt: Date;
}

export type OutboxPayload = Readonly<Record<string, string>>;

export type NewEntry = Pick<OutboxEntry, 'accountId' | 'topic' | 'payload'>;

const shownColumns = { accountId: true, id: true, topic: true, payload: true, createdAt: true } as const;

interface StoredEntry extends Omit<OutboxEntry, 'topic' | 'payload'> {
  readonly topic: string;
  readonly payload: unknown;
}

const entryOf = ({ accountId, id, topic, payload, createdAt }: StoredEntry): OutboxEntry => ({
  accountId,
  id,
  topic: topic as OutboxTopic,
  payload: payload as OutboxPayload,
  createdAt,
});

/** Stands for nobody: an entry that costs what a real one costs and leads to nothing. */
export const NOBODY = 0n;

/** Hands entries to their queues right after the commit. Must not throw: what is left, the sweep relays. */
export type RelaySoon = (entries: readonly OutboxEntry[]) => void;

export interface OutboxContext {
  readonly transact: <Result>(use: (tx: Tx) => Promise<Result>) => Promise<Result>;
  readonly relaySoon: RelaySoon;
}

export type Announce = (accountId: bigint, topic: OutboxTopic) => Promise<void>;

/** To be relayed when, and only when, the transaction has committed. */
export async function writeEntries(tx: Tx, entries: readonly NewEntry[]): Promise<OutboxEntry[]> {
  const rows = await tx.outboxEntry.createManyAndReturn({ data: [...entries], select: shownColumns });
  return rows.map(entryOf);
}

/**
 * Runs a transaction whose announcements become queue jobs if, and only if, it commits: each is a row written with the
 * effect it belongs to.
 */
export async function withOutbox<Result>(
  { transact, relaySoon }: OutboxContext,
  use: (tx: Tx, announce: Announce) => Promise<Result>,
): Promise<Result> {
  const entries: OutboxEntry[] = [];
  const result = await transact((tx) =>
    use(tx, async (accountId, topic) => {
      entries.push(...(await writeEntries(tx, [{ accountId, topic, payload: tracePayload(currentTraceId()) }])));
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
  /** The ledger's failed work as well: its queue may have forgotten it, and then nobody could ask for it again. */
  readonly failedToo: boolean;
}

export interface LeftEntry extends OutboxEntry {
  /** Its queue may know the job already, and how it ended. */
  readonly relayedBefore: boolean;
}

/**
 * Takes entries that nobody has relayed, or whose job seems lost; the ledger's before mails, of which there may be many
 * when a mail server is away. Two sweeps never take the same one at once.
 */
export async function claimLeftEntries(
  database: Queryable,
  { limit, unrelayedForMs, relayedForMs, failedToo }: ClaimOptions,
): Promise<LeftEntry[]> {
  return database.$queryRaw<LeftEntry[]>`
    WITH claimed AS (
       SELECT account_id, id, relayed_at FROM outbox
        WHERE done_at IS NULL AND (failed_at IS NULL OR (${failedToo} AND topic NOT LIKE '%-mail'))
          AND CASE WHEN relayed_at IS NULL THEN created_at <= now() - ${unrelayedForMs} * interval '1 ms'
                   ELSE relayed_at <= now() - ${relayedForMs} * interval '1 ms' END
        ORDER BY topic LIKE '%-mail', relayed_at NULLS FIRST, created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE outbox o SET relayed_at = now() FROM claimed c WHERE o.account_id = c.account_id AND o.id = c.id
    RETURNING o.account_id AS "accountId", o.id, o.topic, o.payload, o.created_at AS "createdAt",
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
    select: { ...shownColumns, doneAt: true },
  });
  return row === null || row.doneAt !== null ? undefined : entryOf(row);
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

/**
 * Ends every settlement that the wager still waits for, also one that had failed: whoever settled the wager did its
 * work. Nothing of a decision that has come since: its entry and its mark on the wager are of one moment.
 */
export async function markWagerSettled(
  database: Queryable,
  { accountId, wagerId }: { readonly accountId: bigint; readonly wagerId: bigint },
): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET done_at = now(), failed_at = NULL, failure = NULL
     WHERE account_id = ${accountId} AND topic = 'settle-wager' AND payload ->> 'wagerId' = ${String(wagerId)}
       AND done_at IS NULL
       AND NOT EXISTS (SELECT FROM wagers WHERE account_id = ${accountId} AND id = ${wagerId} AND settling_since IS NOT NULL)`;
}

export async function markFailed(database: Queryable, { accountId, id }: EntryKey, failure: string): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET failed_at = now(), failure = ${failure}
     WHERE account_id = ${accountId} AND id = ${id} AND done_at IS NULL`;
}

export async function deleteDoneEntries(database: Queryable, olderThan: Date): Promise<number> {
  return database.$executeRaw`DELETE FROM outbox WHERE done_at < ${olderThan}`;
}
