import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase, withTx } from '#platform/database/database.js';
import { quotas } from '#platform/quotas/quotas.js';
import { countLockWaits, holding } from '#testing/databases.js';
import { deferred } from '#testing/deferred.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { readCsv } from '#testing/read-files.js';
import { seedTransactions } from '#testing/seeded-transactions.js';
import { waitFor } from '#testing/wait-for.js';
import type { Export } from './export.js';
import { createExportFiles, type ExportFiles } from './export-files.js';
import { claimRun, type ExportWork, GAVE_UP, MAX_RUNS, readExport } from './export-rows.js';
import { createExportMaker, type ExportMakerOptions } from './make-export.js';
import { type ExportRequest, requestExport } from './request-export.js';

const ANN = 1;
const DAY = '2026-01-10T00:00:00.000Z';
const NEXT_DAY = '2026-01-11T00:00:00.000Z';
/** More than two batches. */
const ROWS = 2_500;

const fixture = useLedgerDatabase();
let source: Database;
let folder: string;
let files: ExportFiles;

beforeAll(async () => {
  folder = path.join(fixture.environment.folder, 'exports');
  files = createExportFiles(folder);
  source = openDatabase({ url: fixture.environment.database.url, connections: 3, onConnectionError: () => undefined });
  await seedTransactions(fixture.environment.database, { accountId: 1, userId: ANN, count: ROWS, day: DAY });
});

afterAll(() => source?.disconnect());

beforeEach(() => fixture.query('DELETE FROM exports; DELETE FROM outbox'));

const context = () => ({
  transact: <Result>(use: Parameters<typeof withTx<Result>>[1]) => withTx(fixture.database.of(1n), use),
  relaySoon: () => undefined,
});

async function ask(given: Partial<ExportRequest> = {}): Promise<ExportWork> {
  const { accountId, id } = await requestExport(
    context(),
    {
      accountId: 1n,
      kind: 'transactions',
      format: 'csv',
      userReference: undefined,
      periodStart: new Date(DAY),
      periodEnd: new Date(NEXT_DAY),
      ...given,
    },
    () => Promise.resolve(),
  );
  const [entry] = await fixture.query(`SELECT id FROM outbox WHERE payload ->> 'exportId' = '${id}'`);
  return { accountId, id, entryId: BigInt(String(entry?.id)) };
}

const maker = (options: Partial<ExportMakerOptions> = {}) => {
  const make = createExportMaker({
    database: fixture.database,
    source,
    files,
    signal: new AbortController().signal,
    onQuotaRefused: () => undefined,
    ...options,
  });
  return (work: ExportWork) => make({ ...work, onProgress: () => undefined });
};

/** Waits after the first part of a file is written. */
function pausedFiles() {
  const [reached, goOn] = [deferred(), deferred()];
  const paused: ExportFiles = {
    ...files,
    async create(named) {
      const file = await files.create(named);
      return {
        ...file,
        async append(bytes) {
          await file.append(bytes);
          reached.resolve();
          await goOn.promise;
        },
      };
    },
  };
  return { paused, reached: reached.promise, goOn: () => goOn.resolve() };
}

const textOf = async (found: Export) => readFile(files.pathOf(found), 'utf8');
const undone = async () => (await fixture.query('SELECT 1 FROM outbox WHERE done_at IS NULL')).length;

describe('an export', () => {
  it('is of one snapshot, although others commit while it is written', async () => {
    const work = await ask();
    const { paused, reached, goOn } = pausedFiles();
    const made = maker({ files: paused })(work);
    await reached;
    await fixture.query(`
      INSERT INTO transactions (account_id, user_id, amount, description, transaction_type, transaction_source,
                                balance_after, created_at)
      VALUES (1, ${ANN}, 1, 'too late', 'credit', 'funding', 1, '${DAY}'::timestamptz + interval '23 h');
      UPDATE users SET reference = 'ann' WHERE id = ${ANN}`);
    goOn();
    expect(await made).toEqual({ state: 'done', rows: ROWS });
    const rows = readCsv(await textOf(await readExport(fixture.database.of(1n), work)));
    expect(rows).toHaveLength(ROWS + 1);
    expect(rows.map(([, , , , , , description]) => description)).not.toContain('too late');
    expect(await undone()).toBe(0);
  });

  it('waits while two of its account run, and not for those of another account', async () => {
    const works = [await ask(), await ask(), await ask()] as const;
    const foreign = await ask({ accountId: 2n });
    const pauses = [pausedFiles(), pausedFiles()];
    const running = pauses.map(({ paused }, index) => maker({ files: paused })(works[index] as ExportWork));
    await Promise.all(pauses.map(({ reached }) => reached));
    for (const work of works.slice(0, 2)) {
      await expect(readExport(fixture.database.of(1n), work)).resolves.toMatchObject({ state: 'running', runs: 1 });
    }
    expect(await maker()(works[2])).toEqual({ state: 'busy' });
    await expect(readExport(fixture.database.of(1n), works[2])).resolves.toMatchObject({ state: 'queued', runs: 0 });
    expect(await maker()(foreign)).toMatchObject({ state: 'done' });
    for (const { goOn } of pauses) goOn();
    expect(await Promise.all(running)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(await maker()(works[2])).toMatchObject({ state: 'done' });
  });

  it('never runs three times at once, however many workers claim', async () => {
    const works = [await ask(), await ask(), await ask(), await ask()];
    // Each claim that has counted waits here before it writes.
    const [claiming] = await holding(fixture.environment.database, 'SELECT 1 FROM exports FOR UPDATE', async () => {
      const claims = Promise.all(works.map((work) => claimRun(fixture.database, work)));
      await waitFor(async () => (await countLockWaits(fixture.environment.database)) === works.length);
      return [claims];
    });
    expect((await claiming).map(({ state }) => state).sort()).toEqual(['busy', 'busy', 'claimed', 'claimed']);
  });

  it('is the file of its last run: an earlier one that ends meanwhile or later changes nothing', async () => {
    const work = await ask();
    const [first, second] = [pausedFiles(), pausedFiles()];
    const begun = maker({ files: first.paused })(work);
    await first.reached;
    const overtaken = maker({ files: second.paused })(work);
    await second.reached;
    first.goOn();
    expect(await begun).toEqual({ state: 'ended' });
    await expect(readExport(fixture.database.of(1n), work)).resolves.toMatchObject({ state: 'running', runs: 2 });
    expect(await maker()(work)).toMatchObject({ state: 'done' });
    const done = await readExport(fixture.database.of(1n), work);
    second.goOn();
    expect(await overtaken).toEqual({ state: 'ended' });
    expect(await readExport(fixture.database.of(1n), work)).toEqual(done);
    expect(done.runs).toBe(3);
    expect((await readdir(folder)).filter((name) => name.startsWith(`1-${work.id}-`))).toEqual([`1-${work.id}-3.csv`]);
  });

  it('goes back to its queue when its worker stops, and leaves no file', async () => {
    const work = await ask();
    const stopping = new AbortController();
    const { paused, reached, goOn } = pausedFiles();
    const made = maker({ files: paused, signal: stopping.signal })(work);
    await reached;
    stopping.abort();
    goOn();
    expect(await made).toEqual({ state: 'stopped' });
    await expect(readExport(fixture.database.of(1n), work)).resolves.toMatchObject({ state: 'queued', runs: 0 });
    expect((await readdir(folder)).filter((name) => name.startsWith(`1-${work.id}-`))).toEqual([]);
    expect(await undone()).toBe(1);
  });

  it('is made however often a worker stops, but not after more kills than it has runs', async () => {
    const [work, killed] = [await ask(), await ask()];
    for (let stop = 0; stop <= MAX_RUNS; stop += 1) {
      expect(await maker({ signal: AbortSignal.abort() })(work)).toEqual({ state: 'stopped' });
    }
    expect(await maker()(work)).toMatchObject({ state: 'done' });
    for (let kill = 0; kill < MAX_RUNS; kill += 1) {
      expect(await claimRun(fixture.database, killed)).toMatchObject({ state: 'claimed' });
    }
    expect(await maker()(killed)).toEqual({ state: 'ended' });
    await expect(readExport(fixture.database.of(1n), killed)).resolves.toMatchObject({
      state: 'failed',
      failure: GAVE_UP,
    });
  });

  it('has room for so many bytes as its account and its network may keep, until earlier files expire', async () => {
    const refused: string[] = [];
    const made = async (accountId = 1n) => {
      const work = await ask({ accountId });
      await maker({ onQuotaRefused: (quota, account) => refused.push(`${quota} ${account}`) })(work);
      const { state, failure } = await readExport(fixture.database.of(1n), work);
      return {
        state,
        failure,
        isKept: (await readdir(folder)).some((name) => name.startsWith(`${accountId}-${work.id}-`)),
      };
    };
    const failure = 'There is no room for a larger file: choose a shorter period, or wait until exports expire';
    const kept = await ask();
    await maker()(kept);
    const keep = (bytes: number, since = 'now()') =>
      fixture.query(
        `UPDATE exports SET bytes = ${bytes}, expires_at = ${since} + interval '1 h' WHERE id = ${kept.id}`,
      );
    await keep(quotas['export-bytes'].account);
    expect(await made()).toEqual({ state: 'failed', failure, isKept: false });
    expect(await made(2n)).toMatchObject({ state: 'done', isKept: true });
    await fixture.query(`UPDATE accounts SET registered_from = '192.0.2.0/24'`);
    await keep(quotas['export-bytes'].network);
    expect(await made(2n)).toEqual({ state: 'failed', failure, isKept: false });
    await keep(quotas['export-bytes'].network, `now() - interval '2 h'`);
    expect(await made()).toMatchObject({ state: 'done', isKept: true });
    expect(refused).toEqual(['export-bytes 1', 'export-bytes 2']);
    expect(await undone()).toBe(0);
  });

  it('fails after its last run, and ends its work', async () => {
    const work = await ask();
    const blocked = path.join(fixture.environment.folder, 'no folder');
    await writeFile(blocked, '');
    const make = maker({ files: createExportFiles(blocked) });
    for (let run = 1; run <= MAX_RUNS; run += 1) {
      await expect(readExport(fixture.database.of(1n), work)).resolves.toMatchObject({
        state: 'queued',
        runs: run - 1,
      });
      await expect(make(work)).rejects.toThrow(/ENOTDIR|EEXIST/);
    }
    await expect(readExport(fixture.database.of(1n), work)).resolves.toMatchObject({
      state: 'failed',
      failure: GAVE_UP,
    });
    expect(await undone()).toBe(0);
    expect(await make(work)).toEqual({ state: 'ended' });
  });
});

describe('files that are left', () => {
  it('are deleted: expired ones, those of earlier runs, and those that no row names', async () => {
    const [current, expired, running] = [await ask(), await ask(), await ask()];
    for (const work of [current, expired]) await maker()(work);
    await claimRun(fixture.database, running);
    await fixture.query(`UPDATE exports SET expires_at = now() - interval '1 s' WHERE id = ${expired.id}`);
    await fixture.query(`UPDATE exports SET runs = 2 WHERE id = ${running.id}`);
    const [own, left] = [`1-${running.id}-2.csv.partial`, `1-${running.id}-1.csv.partial`];
    const orphans = [left, `1-${current.id}-1.csv.partial`, '1-999999-1.parquet', `2-${current.id}-1.csv`];
    for (const name of [own, ...orphans, 'notes.txt']) await writeFile(path.join(folder, name), 'x');
    await utimes(path.join(folder, own), 0, 0);
    const before = await readdir(folder);
    const deleted = await files.deleteLeft(fixture.database);
    const stay = [`1-${current.id}-1.csv`, own, 'notes.txt'].sort();
    expect((await readdir(folder)).sort()).toEqual(stay);
    expect(deleted).toBe(before.length - stay.length);
  });

  it('are none where there is no folder yet', async () => {
    expect(await createExportFiles(path.join(folder, 'nowhere')).deleteLeft(fixture.database)).toBe(0);
  });
});
