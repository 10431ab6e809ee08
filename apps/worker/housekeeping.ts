import { setTimeout as pause } from 'node:timers/promises';
import {
  deleteAccessTokens,
  deleteOldEvents,
  deleteResetCodes,
  deleteVerificationTokens,
} from '#accounts/expired-tokens.js';
import { deleteStoredAnswers } from '#idempotency/stored-answers.js';
import { deleteDoneEntries } from '#jobs/outbox.js';
import type { Database } from '#platform/database/database.js';
import { isDatabaseAway } from '#platform/database/errors.js';
import type { DeletedRows, ExpiredRows } from '#platform/database/expired-rows.js';
import { allPlacements } from '#platform/database/placement.js';
import type { Logger } from '#platform/logging/logger.js';

const DAY_MS = 86_400_000;

interface Kind {
  /** The table's name. */
  readonly kind: string;
  readonly keptForMs: number;
  /** Its rows are with those of the ledger: in every placement. */
  readonly isPlaced?: boolean;
  readonly deleteBatch: (database: Database, rows: ExpiredRows) => Promise<DeletedRows>;
}

/**
 * Expired tokens and codes, outbox entries done over 7 days ago, stored answers older than the day that the API promises,
 * and account events after 400 days: the database refuses to delete younger ones, and the worker's clock may be ahead by a day.
 */
export const kinds = [
  { kind: 'access_tokens', keptForMs: 0, deleteBatch: deleteAccessTokens },
  { kind: 'verification_tokens', keptForMs: 0, deleteBatch: deleteVerificationTokens },
  { kind: 'reset_codes', keptForMs: 0, deleteBatch: deleteResetCodes },
  { kind: 'outbox', keptForMs: 7 * DAY_MS, isPlaced: true, deleteBatch: deleteDoneEntries },
  { kind: 'stored_answers', keptForMs: DAY_MS, isPlaced: true, deleteBatch: deleteStoredAnswers },
  { kind: 'account_events', keptForMs: 401 * DAY_MS, deleteBatch: deleteOldEvents },
] as const satisfies readonly Kind[];

export type HousekeepingKind = (typeof kinds)[number]['kind'];

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

/** The rows of a kind in one placement. */
interface Part extends Kind {
  readonly place: number;
  readonly placement: Database;
  readonly shareMs: number;
}

/** A batch takes 30 to 60 ms; `docs/decisions/0017-housekeeping-in-batches.md` has the arithmetic. */
export const BATCH_ROWS = 5_000;
/** How long one kind may take in a run, the pauses included. */
const SHARE_MS = 40_000;

export interface HousekeepingOptions {
  readonly database: Database;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly observe: (result: KindResult) => void;
  /** Ends the run after the batch in hand. */
  readonly signal: AbortSignal;
  readonly batchRows?: number;
  readonly shareMs?: number;
  /** Of each batch. */
  readonly timeoutMs?: number;
}

/** Deletes rows that have ended, in batches. Each kind has its own share of time, and a kind that fails stops no other. */
export function createHousekeeping(options: HousekeepingOptions): () => Promise<HousekeepingSummary> {
  const { database, now, logger, observe, signal } = options;
  const { batchRows = BATCH_ROWS, shareMs = SHARE_MS, timeoutMs } = options;
  /** Up to where this process has deleted: a run goes on where the one before ended. */
  const reached = new Map<string, Date>();

  async function deleteOldest({ kind, deleteBatch, place, placement }: Part, before: Date): Promise<number> {
    const name = `${kind} ${place}`;
    const rows = { before, from: reached.get(name), limit: batchRows, ...(timeoutMs !== undefined && { timeoutMs }) };
    const { count, upTo } = await deleteBatch(placement, rows);
    if (upTo !== undefined) reached.set(name, upTo);
    return count;
  }

  async function* batchesOf(part: Part): AsyncGenerator<number> {
    const before = new Date(now().getTime() - part.keptForMs);
    const deadline = performance.now() + part.shareMs;
    while (performance.now() < deadline && !signal.aborted) {
      const startedAt = performance.now();
      yield await deleteOldest(part, before);
      // At most half of the time: the disk and the log of PostgreSQL belong to the ledger first.
      await pause(performance.now() - startedAt);
    }
  }

  async function clear(kind: (typeof kinds)[number]): Promise<KindResult> {
    const placements = 'isPlaced' in kind ? allPlacements(database) : [database];
    const results: KindResult[] = [];
    for (const [place, placement] of placements.entries()) {
      results.push(await clearPart({ ...kind, place, placement, shareMs: shareMs / placements.length }));
    }
    const deleted = results.reduce((sum, result) => sum + result.deleted, 0);
    const worst = ENDS.find((end) => results.some((result) => result.end === end)) ?? 'done';
    return { kind: kind.kind, end: worst, deleted };
  }

  async function clearPart(kind: Part & (typeof kinds)[number]): Promise<KindResult> {
    let deleted = 0;
    try {
      for await (const count of batchesOf(kind)) {
        deleted += count;
        if (count < batchRows) return { kind: kind.kind, end: 'done', deleted };
      }
      return { kind: kind.kind, end: 'behind', deleted };
    } catch (error) {
      const line = { kind: kind.kind, deleted, reason: error instanceof Error ? error.message : String(error) };
      logger[isDatabaseAway(error) ? 'warn' : 'error'](
        line,
        'housekeeping of one kind failed: the next run tries again',
      );
      return { kind: kind.kind, end: 'failed', deleted };
    }
  }

  return async () => {
    const results: KindResult[] = [];
    for (const kind of kinds) {
      const result = await clear(kind);
      observe(result);
      results.push(result);
    }
    return results;
  };
}
