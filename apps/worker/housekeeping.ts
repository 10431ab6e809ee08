import { setTimeout as pause } from 'node:timers/promises';
import {
  deleteExpiredAccessTokens,
  deleteOldEvents,
  deleteResetCodes,
  deleteVerificationTokens,
} from '#accounts/expired-tokens.js';
import type { ExportFiles } from '#exports/export-files.js';
import { deleteOldExports } from '#exports/export-rows.js';
import { deleteOldCalls } from '#http/refused-calls.js';
import { deleteStoredAnswers } from '#idempotency/stored-answers.js';
import { DEAD_SHOWN_MS, deleteDeadWorkers } from '#jobs/heartbeats.js';
import { deleteDoneEntries } from '#jobs/outbox.js';
import { DAY_MS, HOUR_MS } from '#platform/config/time-units.js';
import type { AccountTables, Database, SharedTables } from '#platform/database/database.js';
import { isDatabaseAway } from '#platform/database/errors.js';
import type { DeletedRows, ExpiredRows } from '#platform/database/expired-rows.js';
import type { Logger } from '#platform/logging/logger.js';
import { deleteOldPreviews } from '#previews/preview-rows.js';
import { deleteOldAttempts } from '#webhooks/endpoint-rows.js';

/** A preview of a million users has 10,000 pages of them, which are deleted with it. */
const PREVIEWS_OF_BATCH = 10;

interface Kind {
  /** The table's name. */
  readonly kind: string;
  readonly deleteAfterMs: number;
  /** Where other rows go with each of its rows. */
  readonly batchRows?: number;
}

/** Its rows are with those of the ledgers, or with those that all accounts share. */
type KindOfTable = Kind &
  (
    | { readonly ofLedgers: (tables: AccountTables, rows: ExpiredRows) => Promise<DeletedRows> }
    | { readonly shared: (tables: SharedTables, rows: ExpiredRows) => Promise<DeletedRows> }
  );

/**
 * Expired tokens and codes, outbox entries done and calls refused over 7 days ago, stored answers older than the day that the API promises,
 * and account events after 400 days: the database refuses to delete younger ones, and a day may have 23 hours. All by the clock of
 * PostgreSQL: that of a worker may be wrong.
 * Rows of exports outlive their files, which live a day.
 */
export const kinds = [
  { kind: 'access_tokens', deleteAfterMs: 0, shared: deleteExpiredAccessTokens },
  { kind: 'verification_tokens', deleteAfterMs: 0, shared: deleteVerificationTokens },
  { kind: 'reset_codes', deleteAfterMs: 0, shared: deleteResetCodes },
  { kind: 'outbox', deleteAfterMs: 7 * DAY_MS, ofLedgers: deleteDoneEntries },
  { kind: 'stored_answers', deleteAfterMs: DAY_MS, ofLedgers: deleteStoredAnswers },
  { kind: 'refused_calls', deleteAfterMs: 7 * DAY_MS, ofLedgers: deleteOldCalls },
  { kind: 'account_events', deleteAfterMs: 401 * DAY_MS, shared: deleteOldEvents },
  { kind: 'exports', deleteAfterMs: 30 * DAY_MS, ofLedgers: deleteOldExports },
  {
    kind: 'previews',
    deleteAfterMs: HOUR_MS,
    batchRows: PREVIEWS_OF_BATCH,
    ofLedgers: deleteOldPreviews,
  },
  { kind: 'webhook_attempts', deleteAfterMs: 30 * DAY_MS, ofLedgers: deleteOldAttempts },
  { kind: 'worker_heartbeats', deleteAfterMs: DEAD_SHOWN_MS, shared: deleteDeadWorkers },
] as const satisfies readonly KindOfTable[];

/** Files that have expired, by the clock of the database, and those that no row names. */
const EXPORT_FILES = 'export_files';

export const housekeepingKinds = [...kinds.map(({ kind }) => kind), EXPORT_FILES] as const;

type HousekeepingKind = (typeof housekeepingKinds)[number];

/** `done`: nothing is left. `behind`: time was up, the next run goes on. */
export type HousekeepingEnd = 'done' | 'behind' | 'failed';

export interface KindResult {
  readonly kind: HousekeepingKind;
  readonly end: HousekeepingEnd;
  readonly deleted: number;
}

export type HousekeepingSummary = readonly KindResult[];

/** The worst first. */
const ENDS: readonly HousekeepingEnd[] = ['failed', 'behind', 'done'];

/** The rows of a kind in the tables of one PostgreSQL. */
interface Part extends Kind {
  readonly index: number;
  readonly deleteBatch: (rows: ExpiredRows) => Promise<DeletedRows>;
  readonly limit: number;
  readonly shareMs: number;
}

const limitOf = ({ batchRows: most = Number.POSITIVE_INFINITY }: Kind, batchRows: number): number =>
  Math.min(most, batchRows);

/** One DELETE for all rows would run into the statement time-out. A batch takes 30 to 60 ms. */
export const BATCH_ROWS = 5_000;
/** How long one kind may take in a run, the pauses included. */
const SHARE_MS = 40_000;

export interface HousekeepingOptions {
  readonly database: Database;
  readonly files: ExportFiles;
  readonly logger: Logger;
  readonly observe: (result: KindResult) => void;
  /** Ends the run after the batch in hand. */
  readonly signal: AbortSignal;
  readonly batchRows?: number;
  readonly shareMs?: number;
  /** Of each batch. */
  readonly timeoutMs?: number;
}

/** All files at once: an account has few. */
async function* leftFiles(files: ExportFiles, database: Database): AsyncGenerator<number> {
  yield await files.deleteLeft(database);
}

/** Of all tables. */
function sumOf(kind: HousekeepingKind, results: readonly KindResult[]): KindResult {
  const end = ENDS.find((one) => results.some((result) => result.end === one)) ?? 'done';
  return { kind, end, deleted: results.reduce((sum, { deleted }) => sum + deleted, 0) };
}

/** Deletes rows that have ended, in batches, and files. Each kind has its own share of time, and a kind that fails stops no other. */
export function createHousekeeping(options: HousekeepingOptions): () => Promise<HousekeepingSummary> {
  const { database, files, logger, observe, signal } = options;
  const { batchRows = BATCH_ROWS, shareMs = SHARE_MS, timeoutMs } = options;
  /** Up to where this process has deleted: a run goes on where the one before ended. */
  const reached = new Map<string, Date>();

  async function deleteOldest({ kind, deleteAfterMs, deleteBatch, index, limit }: Part): Promise<number> {
    const name = `${kind} ${index}`;
    const from = reached.get(name);
    const rows = { endedForMs: deleteAfterMs, from, limit, ...(timeoutMs !== undefined && { timeoutMs }) };
    const { count, upTo } = await deleteBatch(rows);
    if (upTo !== undefined) reached.set(name, upTo);
    return count;
  }

  async function* batchesOf(part: Part): AsyncGenerator<number> {
    const deadline = performance.now() + part.shareMs;
    while (performance.now() < deadline && !signal.aborted) {
      const startedAt = performance.now();
      yield await deleteOldest(part);
      // At most half of the time: the disk and the log of PostgreSQL belong to the ledger first.
      await pause(performance.now() - startedAt);
    }
  }

  /** Rows beside the ledgers are deleted in the tables of one shard group after the other. */
  async function clearRows(kind: (typeof kinds)[number]): Promise<KindResult> {
    const parts =
      'shared' in kind
        ? [(rows: ExpiredRows) => kind.shared(database.shared, rows)]
        : database.all().map((tables) => (rows: ExpiredRows) => kind.ofLedgers(tables, rows));
    const results: KindResult[] = [];
    for (const [index, deleteBatch] of parts.entries()) {
      const part = { ...kind, index, deleteBatch, limit: limitOf(kind, batchRows), shareMs: shareMs / parts.length };
      results.push(await clear(kind.kind, batchesOf(part), part.limit));
    }
    return sumOf(kind.kind, results);
  }

  async function clear(kind: HousekeepingKind, batches: AsyncIterable<number>, limit: number): Promise<KindResult> {
    let deleted = 0;
    try {
      for await (const count of batches) {
        deleted += count;
        if (count < limit) return { kind, end: 'done', deleted };
      }
      return { kind, end: 'behind', deleted };
    } catch (error) {
      const line = { kind, deleted, reason: error instanceof Error ? error.message : String(error) };
      const level = isDatabaseAway(error) ? 'warn' : 'error';
      logger[level](line, 'housekeeping of one kind failed: the next run tries again');
      return { kind, end: 'failed', deleted };
    }
  }

  return async () => {
    const results: KindResult[] = [];
    for (const kind of kinds) results.push(await clearRows(kind));
    results.push(await clear(EXPORT_FILES, leftFiles(files, database), batchRows));
    for (const result of results) observe(result);
    return results;
  };
}
