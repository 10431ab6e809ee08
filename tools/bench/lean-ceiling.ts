import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, runProgram, SYSTEM_ENVIRONMENT } from '#tools/services/run-program.js';
import { type BenchDatabase, withClient } from './database.js';
import type { BenchOptions } from './options.js';
import { ACCOUNTS, offersFor, USERS, vacuumAndCheckpoint, WAGERS } from './seed.js';

// The yardstick of the rates: the same facts by stored functions on the leanest tables, one operation in a transaction.

/** Only TypeScript is compiled into build/: these files are read from the sources. */
const sourceFile = (name: string) => fileURLToPath(new URL(`../../../tools/bench/${name}.sql`, import.meta.url));

const CLIENTS = 32;
const THREADS = 2;
const SIZES = ['-D', `accounts=${ACCOUNTS}`, '-D', `users=${USERS}`, '-D', `wagers=${WAGERS}`];
/** The connections of pgbench take most of a second to log in. */
const MIN_SECONDS = 2;
const START_AND_END_MS = 30_000;
/** Debian keeps the programs of PostgreSQL here, and not all of them on the PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

export interface LeanCeiling {
  /** Operations a second; undefined where the machine has no pgbench. */
  rateOf(operation: 'make' | 'accept'): Promise<number | undefined>;
  /** Bets a second, of one large wager. */
  settlementRate(bets: number): Promise<number>;
}

/** Creates and seeds the lean tables in an empty database. */
export async function openLeanCeiling(
  database: BenchDatabase,
  { seconds }: Pick<BenchOptions, 'seconds'>,
): Promise<LeanCeiling> {
  await database.query(await readFile(sourceFile('lean-ceiling'), 'utf8'));
  await database.query('SELECT lean_seed($1, $2, $3)', [ACCOUNTS, USERS, WAGERS]);
  const pgbench = await findPgbench();
  let settled = 0;
  return {
    async rateOf(operation) {
      if (pgbench === undefined) return undefined;
      if (operation === 'accept') await database.query('SELECT lean_top_up($1, $2)', [USERS, offersFor(seconds)]);
      await vacuumAndCheckpoint(database);
      const file = sourceFile(`lean-${operation}`);
      return runPgbench(pgbench, file, database, Math.max(MIN_SECONDS, Math.round(seconds / 2)));
    },
    async settlementRate(bets) {
      settled += 1;
      await database.query('SELECT lean_seed_large(1, $1, $2, $3)', [`large${settled}`, USERS, bets]);
      await vacuumAndCheckpoint(database);
      return withClient(database.url, async (client) => {
        const since = performance.now();
        await client.query('SELECT lean_settle(1, $1)', [`large${settled}`]);
        return (bets * 1_000) / (performance.now() - since);
      });
    },
  };
}

async function findPgbench(): Promise<string | undefined> {
  const versions = await readdir(DEBIAN_FOLDER).catch(() => []);
  const folders = versions.sort((one, other) => Number(other) - Number(one));
  for (const name of ['pgbench', ...folders.map((version) => path.join(DEBIAN_FOLDER, version, 'bin/pgbench'))]) {
    const program = await findProgram(name);
    if (program !== undefined) return program;
  }
  return undefined;
}

async function runPgbench(program: string, file: string, { url }: BenchDatabase, seconds: number): Promise<number> {
  const { hostname, port, username, password, pathname } = new URL(url);
  // By the environment: every user of the machine can read the command line.
  const address = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
  const load = ['-c', String(CLIENTS), '-j', String(THREADS), '-T', String(seconds), ...SIZES];
  const { succeeded, output } = await runProgram(program, ['-n', '-M', 'prepared', ...load, '-f', file], {
    env: { ...SYSTEM_ENVIRONMENT, ...address, PGDATABASE: pathname.slice(1) },
    timeoutMs: seconds * 1_000 + START_AND_END_MS,
  });
  const rate = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
  if (!succeeded || !(rate > 0)) throw new Error(`pgbench failed:\n${output}`);
  return rate;
}
