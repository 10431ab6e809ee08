import { cursorOfRead, logHeadOf } from '#events/event-position.js';
import { type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import { readLong } from '#platform/database/read-batches.js';
import type { OnQuotaRefused } from '#platform/quotas/quota-use.js';
import type { FileColumn } from '#reads/files/columns.js';
import { type Append, createCsvWriter, type FileWriter } from '#reads/files/file-writer.js';
import { createParquetWriter } from '#reads/files/parquet.js';
import type { Export, ExportFormat, FileFigures } from './export.js';
import type { ExportFiles, NewFile } from './export-files.js';
import { claimRun, type ExportRun, type ExportWork, finishRun, GAVE_UP, MAX_RUNS } from './export-rows.js';
import { roomForFile } from './file-room.js';
import { exportSources } from './sources.js';

const MAX_ROWS = 10_000_000n;
/** Holds its snapshot for as long, which keeps PostgreSQL from cleaning up. */
export const MAX_EXPORT_MS = 10 * 60_000;
/** Of one statement, and of the pause between two: a stopped worker holds its snapshot for no longer. */
const STATEMENT_MS = 60_000;

/** A fault that a further run would meet again; its text is for the business. */
class LastingFault extends Error {}

/** The worker stops: another one makes the export. */
class Stopping extends Error {}

const writers: Readonly<Record<ExportFormat, (columns: readonly FileColumn[], append: Append) => FileWriter>> = {
  csv: createCsvWriter,
  parquet: createParquetWriter,
};

export interface ExportMakerOptions {
  /** Holds the rows of exports. */
  readonly database: Database;
  /** What exports read: it needs one connection for each that is made at the same time. */
  readonly source: Database;
  readonly files: ExportFiles;
  readonly signal: AbortSignal;
  readonly onQuotaRefused: OnQuotaRefused;
}

interface ExportJob extends ExportWork {
  /** How much of it is written. */
  readonly onProgress: (percent: number) => void;
}

export type MakeResult =
  | { readonly state: 'busy' | 'ended' | 'stopped' | 'failed' }
  | { readonly state: 'done'; readonly rows: number };

export type MakeExport = (job: ExportJob) => Promise<MakeResult>;

/** Makes the file of an export: one run. A fault that may pass is thrown, and the export waits for its next run. */
export function createExportMaker(options: ExportMakerOptions): MakeExport {
  const { database, source, files, signal, onQuotaRefused } = options;

  async function write(claimed: Export, file: NewFile, onProgress: ExportJob['onProgress']): Promise<Written> {
    const deadline = performance.now() + MAX_EXPORT_MS;
    const room = await roomForFile(database, claimed.accountId);
    const assertGoingOn = () => {
      if (signal.aborted) throw new Stopping();
      if (performance.now() > deadline) throw new LastingFault('The export took too long: choose a shorter period');
      if (file.size() < room) return;
      onQuotaRefused('export-bytes', claimed.accountId);
      throw new LastingFault(
        'There is no room for a larger file: choose a shorter period, or wait until exports expire',
      );
    };
    return withTx(
      source.of(claimed.accountId),
      async (snapshot) => {
        await readLong(snapshot, STATEMENT_MS);
        return writeRows(snapshot, claimed, { file, onProgress, assertGoingOn });
      },
      'RepeatableRead',
    );
  }

  async function end(run: ExportRun, error: unknown): Promise<MakeResult> {
    const isStopping = error instanceof Stopping;
    const isLast = run.runs >= MAX_RUNS && !isStopping;
    const failure = error instanceof LastingFault ? error.message : isLast ? GAVE_UP : undefined;
    const isCounted = await finishRun(
      database,
      run,
      failure === undefined ? { state: 'queued', isCounted: !isStopping } : { state: 'failed', failure },
    );
    if (!isCounted) return { state: 'ended' };
    if (isStopping) return { state: 'stopped' };
    if (error instanceof LastingFault) return { state: 'failed' };
    throw error;
  }

  return async ({ onProgress, ...work }) => {
    const claim = await claimRun(database, work);
    if (claim.state !== 'claimed') return { state: claim.state };
    const { claimed } = claim;
    const run = { ...work, runs: claimed.runs };
    let file: NewFile | undefined;
    let figures: FileFigures;
    try {
      file = await files.create(claimed);
      const written = await write(claimed, file, onProgress);
      figures = { ...written, ...(await file.finish()) };
    } catch (error) {
      await file?.discard().catch(() => undefined);
      return end(run, error);
    }
    // When this fails, its commit may have been done: the file stays, and a sweep deletes it if no row names it.
    const isCounted = await finishRun(database, run, { state: 'done', ...figures });
    if (isCounted) return { state: 'done', rows: Number(figures.rows) };
    await file.discard();
    return { state: 'ended' };
  };
}

type Written = Pick<FileFigures, 'rows' | 'asOf'>;

/** The snapshot's own: a transaction moves the head with its facts. */
async function asOfSnapshot(snapshot: Tx, { accountId }: Export): Promise<string> {
  const [row] = await snapshot.$queryRaw<{ head: string | null }[]>(Prisma.sql`SELECT ${logHeadOf(accountId)} AS head`);
  return cursorOfRead({ accountId, head: row?.head ?? null });
}

interface Writing {
  readonly file: NewFile;
  readonly onProgress: ExportJob['onProgress'];
  readonly assertGoingOn: () => void;
}

async function writeRows(
  snapshot: Tx,
  claimed: Export,
  { file, onProgress, assertGoingOn }: Writing,
): Promise<Written> {
  const asOf = await asOfSnapshot(snapshot, claimed);
  const source = exportSources[claimed.kind];
  const total = await source.count(snapshot, claimed);
  if (total > MAX_ROWS) {
    const limit = MAX_ROWS.toLocaleString('en-US');
    throw new LastingFault(`The export has more than ${limit} rows: choose a shorter period`);
  }
  const writer = writers[claimed.format](source.columns, file.append);
  let rows = 0;
  assertGoingOn();
  for await (const batch of source.batches(snapshot, claimed)) {
    assertGoingOn();
    await writer.write(batch);
    rows += batch.length;
    onProgress(Math.floor((rows / Number(total)) * 100));
  }
  await writer.end();
  return { rows: BigInt(rows), asOf };
}
