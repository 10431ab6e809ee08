// A private PgBouncer in transaction mode before a PostgreSQL. Its folder holds pgbouncer.ini, users.txt and pgbouncer.log.

import { chown, mkdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { ensure } from './install-package.js';
import { findProgram } from './run-program.js';
import type { PrivateService } from './service-process.js';
import { startPrivateServer } from './start-private-server.js';
import { findAccount } from './system-account.js';

export interface PrivatePgbouncerOptions {
  readonly dataDir: string;
  readonly postgresUrl: string;
  /** Connections to each database: a transaction that finds none free waits for one. */
  readonly poolSize: number;
}

const PACKAGE = { apt: ['pgbouncer'], brew: 'pgbouncer' } as const;
const STARTING_FAULT = /^(ECONNREFUSED|ECONNRESET)$/;
const CONNECT_TIMEOUT_MS = 5_000;

/** The path of PgBouncer; installs it where no question to the user is needed. Undefined: there is none. */
export async function ensurePgbouncer(): Promise<string | undefined> {
  return (await ensure(PACKAGE, () => findProgram('pgbouncer'))).found;
}

/** Its address leads to the same database as that of PostgreSQL; another name leads to another database. */
export async function startPrivatePgbouncer(
  program: string,
  { dataDir, postgresUrl, poolSize }: PrivatePgbouncerOptions,
): Promise<PrivateService> {
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const folder = await realpath(dataDir);
  const account = await findAccount({ data: folder, program });
  const configFile = path.join(folder, 'pgbouncer.ini');
  const write = async (file: string, text: string) => {
    await writeFile(file, text, { mode: 0o600 });
    if (account !== undefined) await chown(file, account.uid, account.gid);
  };
  return startPrivateServer({
    name: 'PgBouncer',
    folder,
    port: undefined,
    startingFault: STARTING_FAULT,
    urlOf: (port) => throughPort(postgresUrl, port),
    async commandOf(port) {
      const { username, password } = new URL(postgresUrl);
      const usersFile = path.join(folder, 'users.txt');
      await write(usersFile, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
      await write(configFile, configuration({ port, postgres: new URL(postgresUrl), usersFile, poolSize }));
      const logFile = path.join(folder, 'pgbouncer.log');
      return { command: program, args: [configFile], account, logFile, stopSignal: 'SIGTERM' };
    },
    connect,
  });
}

function throughPort(postgresUrl: string, port: number): string {
  const url = new URL(postgresUrl);
  url.host = `127.0.0.1:${port}`;
  url.searchParams.set('pgbouncer', 'true');
  return url.href;
}

interface Configuration {
  readonly port: number;
  readonly postgres: URL;
  readonly usersFile: string;
  readonly poolSize: number;
}

const configuration = ({ port, postgres, usersFile, poolSize }: Configuration): string => `[databases]
* = host=${postgres.hostname} port=${postgres.port || '5432'}
[pgbouncer]
pool_mode = transaction
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${usersFile}
default_pool_size = ${poolSize}
max_client_conn = 1000
`;

/** Returns the code of a fault. */
async function connect(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined); // a connection may be lost while it closes
  try {
    await client.connect();
    await client.query('SELECT 1');
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    await client.end();
  }
}
