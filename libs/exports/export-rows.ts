import { markDone } from '#jobs/outbox.js';
import { type AccountTables, type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import { type DeletedRows, deleteExpiredRows, type ExpiredRows } from '#platform/database/expired-rows.js';
import { Refusal } from '#platform/errors/refusal.js';
import { readShortList, type ShortListRequest, type TotalRow } from '#reads/list-reader.js';
import type { List } from '#reads/page.js';
import type { Export, ExportKey, FileFigures } from './export.js';

// The rows of exports. A run is one try of a worker to make the file, and its number is in the file's name. When a worker
// stalls and another takes the export, the later run counts: the end of the earlier one finds a higher number and changes
// nothing. A worker that stops gives the number of its run back after it has deleted the file.

/** How many exports of one account are made at the same time. */
const RUNNING_OF_ACCOUNT = 2;
/** A worker that ends in each of them must not be started for ever. */
export const MAX_RUNS = 5;
const FILE_LIVES_HOURS = 24;

export const GAVE_UP = 'The export could not be made: try again later';

/** A row as Prisma reads it; CHECK constraints list its kinds, formats and states. */
type ExportRow = Omit<Export, 'kind' | 'format' | 'state'> & Record<'kind' | 'format' | 'state', string>;

export const toExport = (row: ExportRow): Export => row as Export;

/** Counts of an account's exports stay true until the end of the transaction. */
export async function lockExports(tx: Tx, accountId: bigint): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('exports ' || ${accountId}::bigint, 0))`;
}

async function findExport(tables: AccountTables | Tx, { accountId, id }: ExportKey): Promise<Export | undefined> {
  const row = await tables.run((prisma) => prisma.export.findUnique({ where: { accountId_id: { accountId, id } } }));
  return row === null ? undefined : toExport(row);
}

export async function readExport(tables: AccountTables | Tx, key: ExportKey): Promise<Export> {
  const found = await findExport(tables, key);
  if (found === undefined) throw new Refusal('export-not-found');
  return found;
}

const columns = Prisma.sql`e.account_id AS "accountId", e.id, e.kind, e.format, e.period_start AS "periodStart",
  e.period_end AS "periodEnd", e.user_id AS "userId", e.user_reference AS "userReference", e.state, e.runs, e.rows,
  e.bytes, e.sha256, e.as_of AS "asOf", e.failure, e.created_at AS "createdAt", e.started_at AS "startedAt",
  e.finished_at AS "finishedAt", e.expires_at AS "expiresAt"`;

export function listExports(
  database: Database,
  accountId: bigint,
  request: ShortListRequest,
): Promise<List<Export, TotalRow>> {
  const list = {
    accountIds: [accountId],
    from: Prisma.sql`exports listed`,
    columns,
    joined: Prisma.sql`JOIN exports e ON e.account_id = page.account_id AND e.id = page.id`,
  };
  return readShortList(database.of(accountId), list, request);
}

/** `busy`: the account has as many running exports as it may. `ended`: there is nothing to make. */
export type Claim = { readonly state: 'busy' | 'ended' } | { readonly state: 'claimed'; readonly claimed: Export };

/** An export, and the outbox entry that asks for it. */
export interface ExportWork extends ExportKey {
  readonly entryId: bigint;
}

/** Begins a run. An export that is running already has lost its worker, or is about to lose it. */
export function claimRun(database: Database, work: ExportWork): Promise<Claim> {
  const { accountId, id } = work;
  return withTx(database.of(accountId), async (tx): Promise<Claim> => {
    await lockExports(tx, accountId);
    const found = await findExport(tx, work);
    if (found === undefined || found.state === 'done' || found.state === 'failed') {
      await markDone(tx, { accountId, id: work.entryId });
      return { state: 'ended' };
    }
    if (found.runs >= MAX_RUNS) {
      await endRun(tx, { ...work, runs: found.runs }, { state: 'failed', failure: GAVE_UP });
      return { state: 'ended' };
    }
    const running = await tx.prisma.export.count({ where: { accountId, state: 'running', id: { not: id } } });
    if (running >= RUNNING_OF_ACCOUNT) return { state: 'busy' };
    await tx.$executeRaw`
      UPDATE exports SET state = 'running', runs = runs + 1, started_at = coalesce(started_at, now())
       WHERE account_id = ${accountId} AND id = ${id}`;
    return { state: 'claimed', claimed: { ...found, state: 'running', runs: found.runs + 1 } };
  });
}

/** One run of an export. */
export interface ExportRun extends ExportWork {
  /** The number of the run. */
  readonly runs: number;
}

type End =
  | ({ readonly state: 'done' } & FileFigures)
  | { readonly state: 'failed'; readonly failure: string }
  /** Only a run that may be at fault counts. */
  | { readonly state: 'queued'; readonly isCounted: boolean };

const figuresOf = (end: End) =>
  end.state === 'done'
    ? Prisma.sql`, rows = ${end.rows}, bytes = ${end.bytes}, sha256 = ${end.sha256}, as_of = ${end.asOf},
        expires_at = now() + ${FILE_LIVES_HOURS} * interval '1 hour'`
    : Prisma.empty;

async function endRun(tx: Tx, { accountId, id, entryId, runs }: ExportRun, end: End): Promise<boolean> {
  const isGivenBack = end.state === 'queued' && !end.isCounted;
  const count = await tx.$executeRaw`
    UPDATE exports SET state = ${end.state}, runs = ${isGivenBack ? runs - 1 : runs}, failure = ${end.state === 'failed' ? end.failure : null},
           finished_at = CASE WHEN ${end.state} = 'queued' THEN NULL ELSE now() END ${figuresOf(end)}
     WHERE account_id = ${accountId} AND id = ${id} AND runs = ${runs} AND state IN ('queued', 'running')`;
  if (count === 1 && end.state !== 'queued') await markDone(tx, { accountId, id: entryId });
  return count === 1;
}

/** Ends a run with its outbox entry. False: another run has begun, and this one does not count. */
export const finishRun = (database: Database, run: ExportRun, end: End): Promise<boolean> =>
  withTx(database.of(run.accountId), (tx) => endRun(tx, run, end));

type LivingRun = ExportKey & { readonly runs: number; readonly isDone: boolean };

/** Those of them that files belong to: the run that makes the file, or the one that made it and has not expired. */
export async function livingRuns(database: Database, keys: readonly ExportKey[]): Promise<readonly LivingRun[]> {
  const parts = database.groups(keys, ({ accountId }) => accountId);
  return (await Promise.all(parts.map(([tables, placed]) => livingRunsIn(tables, placed)))).flat();
}

function livingRunsIn(tables: AccountTables | Tx, keys: readonly ExportKey[]): Promise<LivingRun[]> {
  const [accountIds, ids] = [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)];
  return tables.$queryRaw<LivingRun[]>`
    SELECT e.account_id AS "accountId", e.id, e.runs, e.state = 'done' AS "isDone"
      FROM exports e JOIN unnest(${accountIds}::bigint[], ${ids}::bigint[]) AS named (account_id, id)
        ON named.account_id = e.account_id AND named.id = e.id
     WHERE e.state = 'running' OR (e.state = 'done' AND e.expires_at > now())`;
}

export const deleteOldExports = (tables: AccountTables, rows: ExpiredRows): Promise<DeletedRows> =>
  deleteExpiredRows(tables, { table: 'exports', column: 'created_at' }, rows);
