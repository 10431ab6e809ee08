import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '#platform/database/database.js';
import type { Append } from '#reads/files/file-writer.js';
import type { Export, FileFigures } from './export.js';
import { livingRuns } from './export-rows.js';

// A file is written under a name that no reader opens, made durable, and then renamed. Only after that does its row say
// `done`, with the number of the run that is in the name. Housekeeping deletes all other files in the folder.

type NamedFile = Pick<Export, 'accountId' | 'id' | 'runs' | 'format'>;

const nameOf = ({ accountId, id, runs, format }: NamedFile) => `${accountId}-${id}-${runs}.${format}`;
const PARTIAL = '.partial';
const NAME = /^(\d+)-(\d+)-(\d+)\.(?:csv|parquet)(\.partial)?$/;
const NAMES_AT_ONCE = 1_000;

/** A file while it is written. */
export interface NewFile {
  readonly append: Append;
  readonly size: () => number;
  /** Makes the file durable under its name. A reader that opens that name reads the whole file. */
  finish(): Promise<Pick<FileFigures, 'bytes' | 'sha256'>>;
  /** Deletes the file, finished or not. */
  discard(): Promise<void>;
}

export interface ExportFiles {
  create(file: NamedFile): Promise<NewFile>;
  pathOf(file: NamedFile): string;
  /** Deletes files that have expired, and those that no row names; returns their number. */
  deleteLeft(database: Database): Promise<number>;
}

/** Makes what was renamed or deleted in a folder durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function createFile(folder: string, finalPath: string): Promise<NewFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partialPath = `${finalPath}${PARTIAL}`;
  const handle = await open(partialPath, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0n;
  return {
    async append(chunk) {
      hash.update(chunk);
      bytes += BigInt(chunk.byteLength);
      await handle.writeFile(chunk);
    },
    size: () => Number(bytes),
    async finish() {
      await handle.sync();
      await handle.close();
      await rename(partialPath, finalPath);
      await syncFolder(folder);
      return { bytes, sha256: hash.digest('hex') };
    },
    async discard() {
      await handle.close().catch(() => undefined);
      for (const file of [partialPath, finalPath]) await rm(file, { force: true });
    },
  };
}

/** The folder belongs to one installation: files that its database does not know are deleted. */
export function createExportFiles(folder: string): ExportFiles {
  const pathOf = (file: NamedFile) => path.join(folder, nameOf(file));

  /** The row of a file is read after its name: a run is in its row before its file exists. */
  async function deleteLeftOf(database: Database, names: readonly string[]): Promise<number> {
    const files = names.map((name) => {
      const [, accountId = '0', id = '0', runs, partial] = NAME.exec(name) ?? [];
      return {
        name,
        accountId: BigInt(accountId),
        id: BigInt(id),
        runs: Number(runs),
        isPartial: partial !== undefined,
      };
    });
    const living = new Map((await livingRuns(database, files)).map((run) => [`${run.accountId}-${run.id}`, run]));
    const left = files.filter(({ accountId, id, runs, isPartial }) => {
      const run = living.get(`${accountId}-${id}`);
      return run === undefined || run.runs !== runs || (run.isDone && isPartial);
    });
    for (const { name } of left) await rm(path.join(folder, name), { force: true });
    return left.length;
  }

  return {
    create: (file) => createFile(folder, pathOf(file)),
    pathOf,
    async deleteLeft(database) {
      const all = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      const names = all.filter((name) => NAME.test(name));
      let deleted = 0;
      for (let index = 0; index < names.length; index += NAMES_AT_ONCE) {
        deleted += await deleteLeftOf(database, names.slice(index, index + NAMES_AT_ONCE));
      }
      return deleted;
    },
  };
}
