// One launcher to a data folder. Its file services.json is both the lock and the note of where the running services
// are to be found, for the commands that are started beside it.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '#platform/errors/start-error.js';
import { processStart } from './process-info.js';

export interface RunningServices {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly apiUrl: string;
  readonly dashboardUrl: string;
  /** Where the worker tells its metrics; the API and the dashboard tell theirs at their own addresses. */
  readonly workerMetricsUrl: string;
}

interface Note extends Partial<RunningServices> {
  readonly launcherPid: number;
  readonly launcherStart: string;
}

export interface DataFolderClaim {
  /** The launcher before this one did not end properly; parts of it may be ending right now. */
  readonly tookOver: boolean;
  publish(services: RunningServices): void;
  release(): void;
}

const TRIES = 20;
const RETRY_MS = 50;

export async function claimDataFolder(dataDir: string): Promise<DataFolderClaim> {
  // Others may pass, not look: PostgreSQL may have to run as another user than root.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const file = fileIn(dataDir);
  const own: Note = { launcherPid: process.pid, launcherStart: processStart(process.pid) ?? '' };
  let tookOver = false;
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (writeIfMissing(file, own)) {
      return {
        tookOver,
        publish: (services) => replace(file, { ...own, ...services }),
        release: () => rmSync(file, { force: true }),
      };
    }
    const holder = readNote(file);
    if (holder !== undefined && isAlive(holder)) {
      throw new StartError(
        `Another launcher (process ${holder.launcherPid}) already uses the data folder ${dataDir}: stop it, or set ` +
          'DATA_DIR to another folder.',
      );
    }
    if (holder !== undefined) {
      tookOver = true;
      takeAway(file, holder);
    }
    // What cannot be read is being written by one that starts at the same moment, unless it stays so.
    if (tries === TRIES - 2) rmSync(file, { force: true });
    await delay(RETRY_MS);
  }
  throw new StartError(`The data folder ${dataDir} cannot be claimed: several launchers start on it at once.`);
}

/** The note of the launcher that is alive on this folder: without addresses while it still starts. */
export function readRunningServices(dataDir: string): Partial<RunningServices> | undefined {
  const note = readNote(fileIn(dataDir));
  return note !== undefined && isAlive(note) ? note : undefined;
}

const fileIn = (dataDir: string) => path.join(dataDir, 'services.json');
const isAlive = (note: Note) => processStart(note.launcherPid) === note.launcherStart;

function writeIfMissing(file: string, note: Note): boolean {
  try {
    writeFileSync(file, JSON.stringify(note), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function replace(file: string, note: Note): void {
  const fresh = `${file}.new-${process.pid}`;
  writeFileSync(fresh, JSON.stringify(note, null, 2), { mode: 0o600 });
  renameSync(fresh, file);
}

/** Of several that find the same dead holder only one succeeds; who got hold of a fresh note instead gives it back. */
function takeAway(file: string, holder: Note): void {
  const aside = `${file}.old-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = readNote(aside);
  if (taken !== undefined && taken.launcherPid !== holder.launcherPid) {
    writeIfMissing(file, taken);
  }
  rmSync(aside);
}

function readNote(file: string): Note | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof note === 'object' && note !== null && 'launcherPid' in note ? (note as Note) : undefined;
  } catch {
    return undefined;
  }
}
