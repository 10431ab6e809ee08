import { type AccountTables, type Database, Prisma, type Tx } from '#platform/database/database.js';
import { type DeletedRows, deleteExpiredRows, type ExpiredRows } from '#platform/database/expired-rows.js';
import { queryRows } from '#platform/database/statements.js';
import { currentTraceId, tracePayload } from '#platform/logging/trace-context.js';
import {
  cancellationQueue,
  exportQueue,
  mailQueue,
  portfolioQueue,
  previewQueue,
  sandboxQueue,
  settlementQueue,
} from './queues.js';

/** The topics of outbox entries, and the queue of each. */
export const topicQueues = {
  'verification-mail': mailQueue.name,
  'password-reset-mail': mailQueue.name,
  'password-changed-mail': mailQueue.name,
  'invitation-mail': mailQueue.name,
  'second-factor-added-mail': mailQueue.name,
  'second-factor-removed-mail': mailQueue.name,
  'api-key-created-mail': mailQueue.name,
  'webhook-address-mail': mailQueue.name,
  'webhook-failing-mail': mailQueue.name,
  'webhook-disabled-mail': mailQueue.name,
  'settle-wager': settlementQueue.name,
  'cancel-offers': cancellationQueue.name,
  'check-portfolios': portfolioQueue.name,
  'make-export': exportQueue.name,
  'make-preview': previewQueue.name,
  'delete-sandbox': sandboxQueue.name,
} as const;

export type OutboxTopic = keyof typeof topicQueues;

/** Mails may end undone. All other topics are ledger work. In SQL: `topic LIKE '%-mail'`. */
export const isMail = (topic: OutboxTopic): boolean => topicQueues[topic] === mailQueue.name;

/** The topics of one queue. */
export type TopicOf<Queue extends { readonly name: string }> = {
  [Topic in OutboxTopic]: (typeof topicQueues)[Topic] extends Queue['name'] ? Topic : never;
}[OutboxTopic];

export interface OutboxEntry {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly topic: OutboxTopic;
  /** The ids that the job needs beside the account, and the trace of the request that caused it. */
  readonly payload: OutboxPayload;
  readonly createdAt: Date;
}

type OutboxPayload = Readonly<Record<string, string>>;

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

/** The account id of an entry that takes as long to write as any other and leads to nothing. */
export const NO_ACCOUNT = 0n;

/** Adds entries to their queues right after the commit. Must not throw: the sweep relays entries that are left. */
export type RelaySoon = (entries: readonly OutboxEntry[]) => void;

export interface OutboxContext {
  readonly transact: <Result>(use: (tx: Tx) => Promise<Result>) => Promise<Result>;
  readonly relaySoon: RelaySoon;
}

/** `payload`: the ids that the job needs beside the account. */
export type AddEntry = (accountId: bigint, topic: OutboxTopic, payload?: OutboxPayload) => Promise<void>;

/** Writes entries in the transaction of the effect that they belong to. The caller relays them after its commit. */
export async function writeEntries(tx: Tx, entries: readonly NewEntry[]): Promise<OutboxEntry[]> {
  const rows = await tx.prisma.outboxEntry.createManyAndReturn({ data: [...entries], select: shownColumns });
  return rows.map(entryOf);
}

/** Runs a transaction whose entries become jobs if, and only if, it commits. */
export async function withOutbox<Result>(
  { transact, relaySoon }: OutboxContext,
  use: (tx: Tx, addEntry: AddEntry) => Promise<Result>,
): Promise<Result> {
  const entries: OutboxEntry[] = [];
  const result = await transact((tx) =>
    use(tx, async (accountId, topic, ids = {}) => {
      const payload = { ...ids, ...tracePayload(currentTraceId()) };
      entries.push(...(await writeEntries(tx, [{ accountId, topic, payload }])));
    }),
  );
  if (entries.length > 0) relaySoon(entries);
  return result;
}

export interface ClaimOptions {
  readonly limit: number;
  /** Takes an entry that was never relayed after this time. */
  readonly unrelayedForMs: number;
  /** Takes a relayed entry again after this time: its queue seems to have lost the job. */
  readonly relayedForMs: number;
}

export interface LeftEntry extends OutboxEntry {
  /** Its queue may have the job already, perhaps ended. */
  readonly relayedBefore: boolean;
}

/**
 * Takes entries that were never relayed or whose job seems lost. Ledger work comes before mails, of which many may wait
 * when a mail server is away. A failed mail has ended; ledger work never ends undone, so its failure does not count here.
 * The condition is that of `outbox_left_idx`. SKIP LOCKED keeps two sweeps from taking the same entry at once.
 */
export async function claimLeftEntries(
  tables: AccountTables | Tx,
  { limit, unrelayedForMs, relayedForMs }: ClaimOptions,
): Promise<LeftEntry[]> {
  return queryRows<LeftEntry>(
    tables,
    Prisma.sql`
    WITH claimed AS (
       SELECT account_id, id, relayed_at FROM outbox
        WHERE done_at IS NULL AND (failed_at IS NULL OR topic NOT LIKE '%-mail')
          AND CASE WHEN relayed_at IS NULL THEN created_at <= now() - ${unrelayedForMs} * interval '1 ms'
                   ELSE relayed_at <= now() - ${relayedForMs} * interval '1 ms' END
        ORDER BY topic LIKE '%-mail', relayed_at NULLS FIRST, created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE outbox o SET relayed_at = now() FROM claimed c WHERE o.account_id = c.account_id AND o.id = c.id
    RETURNING o.account_id AS "accountId", o.id, o.topic, o.payload, o.created_at AS "createdAt",
              c.relayed_at IS NOT NULL AS "relayedBefore"`,
  );
}

const accountOf = ({ accountId }: OutboxEntry): bigint => accountId;

const keysOf = (entries: readonly OutboxEntry[]) =>
  Prisma.join(entries.map(({ accountId, id }) => Prisma.sql`(${accountId}::bigint, ${id}::bigint)`));

export async function markRelayed(database: Database, entries: readonly OutboxEntry[]): Promise<void> {
  for (const [tables, placed] of database.groups(entries, accountOf)) {
    await tables.$executeRaw`
      UPDATE outbox SET relayed_at = now() WHERE (account_id, id) IN (${keysOf(placed)})`;
  }
}

/** Undoes the claim on entries that could not be relayed. */
export async function markUnrelayed(database: Database, entries: readonly OutboxEntry[]): Promise<void> {
  for (const [tables, placed] of database.groups(entries, accountOf)) {
    await tables.$executeRaw`
      UPDATE outbox SET relayed_at = NULL WHERE (account_id, id) IN (${keysOf(placed)})`;
  }
}

export type EntryKey = Pick<OutboxEntry, 'accountId' | 'id'>;

/** Of an entry whose work is about a wager. */
export interface WagerEntryKey extends EntryKey {
  readonly wagerId: bigint;
}

/** Returns the entry unless it is done. A failed one is returned: its job is tried again. */
export async function findUndoneEntry(
  tables: AccountTables | Tx,
  { accountId, id }: EntryKey,
): Promise<OutboxEntry | undefined> {
  const row = await tables.run((prisma) =>
    prisma.outboxEntry.findUnique({
      where: { accountId_id: { accountId, id } },
      select: { ...shownColumns, doneAt: true },
    }),
  );
  return row === null || row.doneAt !== null ? undefined : entryOf(row);
}

/** Entries of an account that have these ids in their payload. */
export interface EntriesOfTopic extends Pick<OutboxEntry, 'accountId' | 'topic'> {
  readonly ids: OutboxPayload;
}

/** Whether the entry is undone and no newer one of these exists, done or not. */
export async function isNewestAndUndone(
  tables: AccountTables | Tx,
  { accountId, id, topic, ids }: EntryKey & EntriesOfTopic,
): Promise<boolean> {
  const [newest] = await tables.$queryRaw<{ id: bigint; isDone: boolean }[]>`
    SELECT id, done_at IS NOT NULL AS "isDone" FROM outbox
     WHERE account_id = ${accountId} AND topic = ${topic} AND payload @> ${JSON.stringify(ids)}::jsonb
     ORDER BY id DESC LIMIT 1`;
  return newest?.id === id && !newest.isDone;
}

/** Marks all undone ones of these as done. */
export async function markTopicDone(
  tables: AccountTables | Tx,
  { accountId, topic, ids }: EntriesOfTopic,
): Promise<void> {
  await tables.$executeRaw`
    UPDATE outbox SET done_at = now(), failed_at = NULL, failure = NULL
     WHERE account_id = ${accountId} AND topic = ${topic} AND payload @> ${JSON.stringify(ids)}::jsonb AND done_at IS NULL`;
}

export async function markDone(tables: AccountTables | Tx, { accountId, id }: EntryKey): Promise<void> {
  await tables.$executeRaw`
    UPDATE outbox SET done_at = now(), failed_at = NULL, failure = NULL WHERE account_id = ${accountId} AND id = ${id}`;
}

/**
 * Marks every undone settlement of the wager as done, failed ones too: another job did their work. It leaves the entry of
 * a newer decision alone, which is committed together with `settling_since` on the wager.
 */
export async function markWagerSettled(
  tables: AccountTables | Tx,
  { accountId, wagerId }: { readonly accountId: bigint; readonly wagerId: bigint },
): Promise<void> {
  await tables.$executeRaw`
    UPDATE outbox SET done_at = now(), failed_at = NULL, failure = NULL
     WHERE account_id = ${accountId} AND topic = 'settle-wager' AND payload ->> 'wagerId' = ${String(wagerId)}
       AND done_at IS NULL
       AND NOT EXISTS (SELECT FROM wagers WHERE account_id = ${accountId} AND id = ${wagerId} AND settling_since IS NOT NULL)`;
}

/** A mail has ended with this failure; ledger work has failed many times in a row and is tried again. */
export async function markFailed(
  tables: AccountTables | Tx,
  { accountId, id }: EntryKey,
  failure: string,
): Promise<void> {
  await tables.$executeRaw`
    UPDATE outbox SET failed_at = coalesce(failed_at, now()), failure = ${failure}
     WHERE account_id = ${accountId} AND id = ${id} AND done_at IS NULL`;
}

/** How old `moved_at` may become while the work moves on. */
const MOVED_EVERY_MS = 10_000;

/** A part of the entry's work is done. Costs a look-up by key unless there was a failure, or `moved_at` has become old. */
export async function noteProgress(tables: AccountTables | Tx, { accountId, id }: EntryKey): Promise<void> {
  await tables.$executeRaw`
    UPDATE outbox SET failed_at = NULL, failure = NULL, moved_at = now()
     WHERE account_id = ${accountId} AND id = ${id}
       AND (failed_at IS NOT NULL OR moved_at IS NULL OR moved_at < now() - ${MOVED_EVERY_MS} * interval '1 ms')`;
}

export async function deleteDoneEntries(tables: AccountTables, rows: ExpiredRows): Promise<DeletedRows> {
  return deleteExpiredRows(tables, { table: 'outbox', column: 'done_at' }, rows);
}
