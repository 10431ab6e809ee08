import { asMicros } from '#core/money.js';
import { markDone } from '#jobs/outbox.js';
import { type AccountTables, type Database, type Prisma, type Tx, withTx } from '#platform/database/database.js';
import { type DeletedRows, deleteExpiredRows, type ExpiredRows } from '#platform/database/expired-rows.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { ComputedPreview } from './compute-preview.js';
import {
  LARGEST_USERS,
  type Preview,
  type PreviewedOperation,
  type PreviewedUser,
  type PreviewFigures,
  type PreviewKey,
  type PreviewRequest,
  type PreviewState,
} from './preview.js';
import { deleteUsers, insertUsers, readPart, USERS_OF_PAGE, withReferences } from './user-pages.js';
import { batchesOf } from './user-sums.js';

// Previews are kept with the account that asked, for an hour. They are no part of the ledger.

/** Of an account: newer previews replace the oldest. */
const MOST_KEPT_USERS = 2_000_000;
const MOST_KEPT = 500;
/** An insert adds one preview, so a few of them make room for all. */
const REPLACED_AT_ONCE = 20;
const MOST_RUNNING = 3;
const RETRY_AFTER_SECONDS = 30;
/** A worker that ends in each of them must not be started for ever. */
const MAX_RUNS = 3;
/** Written in a tenth of a second. */
const USERS_OF_TRANSACTION = 5_000;

export type StoredFigures = Omit<PreviewFigures, 'asOf' | 'moved'> & { readonly asOf: string; readonly moved: string };

export const storedFigures = (figures: PreviewFigures): StoredFigures => ({
  ...figures,
  asOf: figures.asOf.toISOString(),
  moved: String(figures.moved),
});

export const figuresOf = (stored: StoredFigures): PreviewFigures => ({
  ...stored,
  asOf: new Date(stored.asOf),
  moved: asMicros(BigInt(stored.moved)),
});

/** JSON has no integers of that size. */
const storedOperation = (operation: PreviewedOperation): Prisma.InputJsonObject =>
  Object.fromEntries(
    Object.entries(operation).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  );

const INTEGERS: ReadonlySet<string> = new Set(['betId', 'voidMatchedAfter']);

const operationOf = (stored: object): PreviewedOperation =>
  Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [name, INTEGERS.has(name) && value !== null ? BigInt(value) : value]),
  ) as unknown as PreviewedOperation;

/** A worker computes them one after the other. Two requests at once may both find room: an account has few at once. */
export async function assertFewRunning(tx: Tx, accountId: bigint): Promise<void> {
  if ((await tx.prisma.preview.count({ where: { accountId, state: 'running' } })) < MOST_RUNNING) return;
  throw new Refusal('too-many-previews', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Deletes previews for which the newer ones of the account leave no room, the oldest first. What others delete already stays theirs. */
const deleteReplaced = (tx: Tx, accountId: bigint): Promise<number> =>
  tx.$executeRaw`
    DELETE FROM previews WHERE account_id = ${accountId} AND id = ANY (ARRAY(
      SELECT id FROM previews
       WHERE account_id = ${accountId} AND state <> 'running' AND id IN (
         SELECT id FROM (
           SELECT id, count(*) OVER newest AS previews, sum(users) OVER newest AS users FROM previews
            WHERE account_id = ${accountId} WINDOW newest AS (ORDER BY id DESC)) kept
          WHERE previews > ${MOST_KEPT} OR users > ${MOST_KEPT_USERS})
       ORDER BY id LIMIT ${REPLACED_AT_ONCE} FOR UPDATE SKIP LOCKED))`;

/** Writes a preview that is still to be computed, or that is done when `figures` are given. */
export async function insertPreview(
  tx: Tx,
  { operation, ...accounts }: PreviewRequest,
  figures: PreviewFigures | undefined,
): Promise<PreviewKey> {
  const outcome = figures === undefined ? { state: 'running' } : doneWith(figures);
  const key = await tx.prisma.preview.create({
    data: { ...accounts, ...outcome, operation: storedOperation(operation) },
    select: { accountId: true, id: true },
  });
  await deleteReplaced(tx, accounts.accountId);
  return key;
}

const doneWith = (figures: PreviewFigures) => ({
  state: 'done',
  progress: 100,
  users: figures.usersAffected,
  figures: { ...storedFigures(figures), bets: { ...figures.bets } },
});

/** A preview that waits for its worker, or was given up, has no users yet. */
export async function readPreview(database: Database, key: PreviewKey): Promise<Preview> {
  const { accountId, id } = key;
  const tables = database.of(accountId);
  const row = await tables.run((prisma) => prisma.preview.findUnique({ where: { accountId_id: { accountId, id } } }));
  if (row === null) throw new Refusal('preview-not-found');
  const { progress, failure } = row;
  const figures = row.figures === null ? undefined : figuresOf(row.figures as unknown as StoredFigures);
  const first = figures === undefined ? [] : await readPart(tables, key, 0);
  const largest = await withReferences(
    database.of(row.ledgerAccountId),
    row.ledgerAccountId,
    first.slice(0, LARGEST_USERS),
  );
  return { ...key, state: row.state as PreviewState, progress, failure, figures, largest };
}

export interface UsersPage {
  readonly users: readonly PreviewedUser[];
  /** The next part; undefined: there is none. */
  readonly next: number | undefined;
}

/** A page of its users, those with the largest effect first. */
export async function readPreviewUsers(database: Database, key: PreviewKey, part: number): Promise<UsersPage> {
  const { accountId, id } = key;
  const tables = database.of(accountId);
  const found = await tables.run((prisma) =>
    prisma.preview.findUnique({
      where: { accountId_id: { accountId, id } },
      select: { users: true, state: true, ledgerAccountId: true },
    }),
  );
  if (found === null) throw new Refusal('preview-not-found');
  if (found.state !== 'done') throw new Refusal('preview-not-done');
  const hasNext = found.users > (part + 1) * USERS_OF_PAGE;
  const users = await withReferences(
    database.of(found.ledgerAccountId),
    found.ledgerAccountId,
    await readPart(tables, key, part),
  );
  return { users, next: hasNext ? part + 1 : undefined };
}

/** A preview that a worker computes, and the outbox entry that asks for it. */
export interface PreviewWork extends PreviewKey {
  readonly entryId: bigint;
}

export interface PreviewRun extends PreviewWork {
  readonly runs: number;
  readonly request: PreviewRequest;
}

/** Begins a run. Undefined: there is nothing to compute. The last run that ends computes nothing and gives the preview up. */
export function claimPreview(database: Database, work: PreviewWork, gaveUp: string): Promise<PreviewRun | undefined> {
  const { accountId, id, entryId } = work;
  return withTx(database.of(accountId), async (tx) => {
    const [row] = await tx.$queryRaw<{ runs: number; stops: number; ledgerAccountId: bigint; operation: object }[]>`
      UPDATE previews SET runs = runs + 1 WHERE account_id = ${accountId} AND id = ${id} AND state = 'running'
      RETURNING runs, stops, ledger_account_id AS "ledgerAccountId", operation`;
    if (row !== undefined) await deleteUsers(tx, work);
    if (row !== undefined && row.runs - row.stops <= MAX_RUNS) {
      const { runs, ledgerAccountId } = row;
      return { ...work, runs, request: { accountId, ledgerAccountId, operation: operationOf(row.operation) } };
    }
    await failIn(tx, work, gaveUp);
    await markDone(tx, { accountId, id: entryId });
    return undefined;
  });
}

const failIn = (tx: Tx, { accountId, id }: PreviewKey, failure: string) =>
  tx.$executeRaw`
    UPDATE previews SET state = 'failed', failure = ${failure}
     WHERE account_id = ${accountId} AND id = ${id} AND state = 'running'`;

export const failPreview = (database: Database, work: PreviewWork, failure: string): Promise<void> =>
  withTx(database.of(work.accountId), async (tx) => {
    if ((await failIn(tx, work, failure)) > 0) await deleteUsers(tx, work);
    await markDone(tx, { accountId: work.accountId, id: work.entryId });
  });

/** A run that a stop of the worker has ended does not count. Its number is not used again: an earlier run may still write. */
export async function giveRunBack(database: Database, { accountId, id, runs }: PreviewRun): Promise<void> {
  await database.of(accountId).$executeRaw`
    UPDATE previews SET stops = stops + 1
     WHERE account_id = ${accountId} AND id = ${id} AND runs = ${runs} AND state = 'running'`;
}

export async function showProgress(database: Database, { accountId, id }: PreviewKey, percent: number): Promise<void> {
  await database.of(accountId).$executeRaw`
    UPDATE previews SET progress = greatest(progress, ${percent}::int)
     WHERE account_id = ${accountId} AND id = ${id} AND state = 'running'`;
}

/** Whether the run still counts: no other one has begun, and the preview is there. Until the end of the transaction it does. */
async function lockRun(tx: Tx, { accountId, id, runs }: PreviewRun): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT FROM previews WHERE account_id = ${accountId} AND id = ${id} AND runs = ${runs} AND state = 'running'
       FOR NO KEY UPDATE`;
  return locked.length > 0;
}

/**
 * Writes what a run has computed: the users first, in several transactions, between which `goOn` may throw to stop. False:
 * another run has begun or was faster, or the preview has gone: this one does not count.
 */
export async function finishPreview(
  database: Database,
  run: PreviewRun,
  { figures, users }: Pick<ComputedPreview, 'figures' | 'users'>,
  goOn: () => void,
): Promise<boolean> {
  const tables = database.of(run.accountId);
  let part = 0;
  for (const batch of batchesOf(users, USERS_OF_TRANSACTION)) {
    goOn();
    const isCounting = await withTx(tables, async (tx) => {
      if (!(await lockRun(tx, run))) return false;
      part = await insertUsers(tx, run, { users: batch, part });
      return true;
    });
    if (!isCounting) return false;
  }
  return withTx(tables, async (tx) => {
    if (!(await lockRun(tx, run))) return false;
    const { accountId, id, entryId } = run;
    await tx.prisma.preview.update({ where: { accountId_id: { accountId, id } }, data: doneWith(figures) });
    await markDone(tx, { accountId, id: entryId });
    return true;
  });
}

export const deleteOldPreviews = (tables: AccountTables, rows: ExpiredRows): Promise<DeletedRows> =>
  deleteExpiredRows(tables, { table: 'previews', column: 'created_at' }, rows);
