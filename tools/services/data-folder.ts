// A data folder belongs to one launcher at a time. The file services.json is the lock, and it holds the addresses of the
// running services for other commands.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '#platform/errors/start-error.js';
import { processStart } from './process-info.js';

export interface RunningServices {
  /** With the role of the parts. */
  readonly databaseUrl: string;
  /** With the role that owns the tables, where it is another one. */
  readonly ownerUrl?: string;
  readonly redisUrl: string;
  readonly apiUrl: string;
  readonly dashboardUrl: string;
  /** The metrics of the worker; the API and the dashboard serve theirs at their own addresses. */
  readonly workerMetricsUrl: string;
}

interface ServicesFile extends Partial<RunningServices> {
  readonly launcherPid: number;
  readonly launcherStart: string;
}

export interface DataFolderClaim {
  /** The launcher before this one was killed; its parts may still be stopping. */
  readonly tookOver: boolean;
  publish(services: RunningServices): void;
  release(): void;
}

const TRIES = 20;
const RETRY_MS = 50;

export async function claimDataFolder(dataDir: string): Promise<DataFolderClaim> {
  // Other users may pass through, not list: PostgreSQL may have to run as another user than root.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const file = fileIn(dataDir);
  const own: ServicesFile = { launcherPid: process.pid, launcherStart: processStart(process.pid) ?? '' };
  let tookOver = false;
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (writeIfMissing(file, own)) {
      return {
        tookOver,
        publish: (services) => replace(file, { ...own, ...services }),
        release: () => rmSync(file, { force: true }),
      };
    }
    const holder = readServicesFile(file);
    if (holder !== undefined && isAlive(holder)) {
      throw new StartError(
        `Another launcher (process ${holder.launcherPid}) already uses the data folder ${dataDir}: stop it, or set ` +
          'DATA_DIR to another folder.',
      );
    }
    if (holder !== undefined) {
      tookOver = true;
      removeStale(file, holder);
    }
    // An unreadable file is being written by another launcher, unless it stays unreadable.
    if (tries === TRIES - 2) rmSync(file, { force: true });
    await delay(RETRY_MS);
  }
  throw new StartError(`The data folder ${dataDir} cannot be claimed: several launchers start on it at once.`);
}

/** The services of the launcher that runs on this folder: without addresses during its start. */
export function readRunningServices(dataDir: string): Partial<RunningServices> | undefined {
  const found = readServicesFile(fileIn(dataDir));
  return found !== undefined && isAlive(found) ? found : undefined;
}

const fileIn = (dataDir: string) => path.join(dataDir, 'services.json');
const isAlive = (note: ServicesFile) => processStart(note.launcherPid) === note.launcherStart;

function writeIfMissing(file: string, note: ServicesFile): boolean {
  try {
    writeFileSync(file, JSON.stringify(note), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function replace(file: string, note: ServicesFile): void {
  const fresh = `${file}.new-${process.pid}`;
  writeFileSync(fresh, JSON.stringify(note, null, 2), { mode: 0o600 });
  renameSync(fresh, file);
}

/** Of several launchers that find the same dead holder one succeeds; one that renamed a fresh note puts it back. */
function removeStale(file: string, holder: ServicesFile): void {
  const aside = `${file}.old-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = readServicesFile(aside);
  if (taken !== undefined && taken.launcherPid !== holder.launcherPid) {
    writeIfMissing(file, taken);
  }
  rmSync(aside);
}

function readServicesFile(file: string): ServicesFile | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof note === 'object' && note !== null && 'launcherPid' in note ? (note as ServicesFile) : undefined;
  } catch {
    return undefined;
  }
}
