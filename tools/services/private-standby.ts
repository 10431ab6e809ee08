// A standby of a private PostgreSQL: a copy of its data folder, taken while it serves, that follows its log.

import type { Dirent } from 'node:fs';
import { chown, copyFile, mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type PrivatePostgresOptions, startPrivatePostgres } from './private-postgres.js';
import type { PrivateService } from './service-process.js';
import { withPostgresClient } from './with-postgres-client.js';

export interface StandbyOptions extends PrivatePostgresOptions {
  readonly primaryUrl: string;
  /** The `dataDir` of the primary. */
  readonly primaryDir: string;
}

/** By this name the primary knows its standby: `synchronous_standby_names` names it. */
export const STANDBY_NAME = 'standby';
/** Their files stay behind: a server makes them itself, and a standby gets its log from the primary. */
const EMPTY_FOLDERS = ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp'];
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts', 'backup_label', 'standby.signal', 'pgsql_tmp'];

/** Resolves when it answers reads. */
export async function startPrivateStandby({ primaryUrl, primaryDir, ...own }: StandbyOptions): Promise<PrivateService> {
  const data = path.join(own.dataDir, 'data');
  const unfinished = `${data}.new-${process.pid}`;
  await mkdir(own.dataDir, { recursive: true, mode: 0o711 });
  await copyOwned(path.join(primaryDir, 'password'), path.join(own.dataDir, 'password'));
  await copyCluster(primaryUrl, { from: path.join(primaryDir, 'data'), to: unfinished });
  const { hostname, port, username, password } = new URL(primaryUrl);
  const source = `host=${hostname} port=${port} user=${username} password=${password} application_name=${STANDBY_NAME}`;
  await writeOwned(path.join(unfinished, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`, unfinished);
  await writeOwned(path.join(unfinished, 'standby.signal'), '', unfinished);
  await rename(unfinished, data);
  return startPrivatePostgres(own);
}

interface ClusterCopy {
  readonly from: string;
  readonly to: string;
}

/** Copies a data folder without its log, as PostgreSQL documents it: "Making a Base Backup Using the Low Level API". */
export function copyCluster(url: string, { from, to }: ClusterCopy): Promise<void> {
  return withPostgresClient({ connectionString: url }, async (client) => {
    await client.query(`SELECT pg_backup_start('copy', fast => true)`);
    await copyFolder(from, to);
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    await writeOwned(path.join(to, 'backup_label'), rows[0]?.labelfile ?? '', from);
  });
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  await takeOwner(from, to);
  if (EMPTY_FOLDERS.includes(path.basename(from))) return;
  const isWanted = ({ name }: Dirent) => !LEFT_OUT.some((left) => name.startsWith(left));
  for (const entry of (await readdir(from, { withFileTypes: true })).filter(isWanted)) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else await copyOwned(source, target).catch(unlessDeleted);
  }
}

/** The server deletes files while it works; the log that is replayed on the copy knows of it. */
function unlessDeleted(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function copyOwned(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await takeOwner(from, to);
}

async function writeOwned(file: string, text: string, like: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  await takeOwner(like, file);
}

/** A process that runs as root copies the files of another account. */
async function takeOwner(from: string, to: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(from);
  await chown(to, uid, gid);
}
