// A data folder belongs to one launcher at a time, which listens at a socket in it: the system closes that when the process
// ends, however it ends. The file services.json holds the addresses of the running services for other commands.

import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '#platform/errors/start-error.js';

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

export interface DataFolderClaim {
  /** The launcher before this one was killed; its parts may still be stopping. */
  readonly tookOver: boolean;
  publish(services: RunningServices): void;
  release(): void;
}

/** Longer than another launcher takes from its look at the socket to its own. */
const RIVALS_WITHIN_MS = 200;
/** The system cuts a longer name. */
const LONGEST_SOCKET_NAME = 103;

export async function claimDataFolder(dataDir: string): Promise<DataFolderClaim> {
  // Other users may pass through, not list: PostgreSQL may have to run as another user than root.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const [socket, file] = [socketIn(dataDir), fileIn(dataDir)];
  const held = () =>
    new StartError(
      `Another launcher already uses the data folder ${dataDir}: stop it, or set DATA_DIR to another folder.`,
    );
  if (await isHeld(socket)) throw held();
  const tookOver = existsSync(socket);
  for (const left of [socket, file]) rmSync(left, { force: true });
  const server = createServer((caller) => caller.destroy()).listen(socket);
  await once(server, 'listening');
  const { ino } = statSync(socket);
  await delay(RIVALS_WITHIN_MS);
  if (statSync(socket, { throwIfNoEntry: false })?.ino !== ino) {
    // The socket is another launcher's now, which found the same one left over. Closing ours would delete it.
    server.unref();
    throw held();
  }
  return {
    tookOver,
    publish(services) {
      writeFileSync(`${file}.new`, JSON.stringify(services, null, 2), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
    release() {
      rmSync(file, { force: true });
      server.close(); // deletes the socket
    },
  };
}

/** The services of the launcher that runs on this folder: without addresses during its start. */
export async function readRunningServices(dataDir: string): Promise<Partial<RunningServices> | undefined> {
  if (!(await isHeld(socketIn(dataDir)))) return undefined;
  return existsSync(fileIn(dataDir)) ? JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) : {};
}

const fileIn = (dataDir: string) => path.join(dataDir, 'services.json');

/** The shorter name: that of a socket has 103 letters at most. */
function socketIn(dataDir: string): string {
  const file = path.resolve(dataDir, 'launcher.sock');
  const relative = path.relative(process.cwd(), file);
  const shorter = relative.length < file.length ? relative : file;
  if (Buffer.byteLength(shorter) > LONGEST_SOCKET_NAME) {
    throw new StartError(`The name of the data folder ${dataDir} is too long: set DATA_DIR to a shorter one.`);
  }
  return shorter;
}

async function isHeld(socket: string): Promise<boolean> {
  const caller = connect(socket);
  try {
    await once(caller, 'connect');
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ECONNREFUSED'].includes(code)) return false;
    throw new StartError(
      `Whether a launcher uses the data folder cannot be seen: ${socket} answers ${code}. Start as the user of the folder, or set DATA_DIR to another one.`,
    );
  } finally {
    caller.destroy();
  }
}
