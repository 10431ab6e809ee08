import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runProgram, SYSTEM_ENVIRONMENT } from '#tools/services/run-program.js';
import type { BenchDatabase } from './database.js';
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
      await database.query('SET synchronous_commit = on');
      const since = performance.now();
      await database.query('SELECT lean_settle(1, $1)', [`large${settled}`]);
      return (bets * 1_000) / (performance.now() - since);
    },
  };
}

/** Debian keeps the programs of PostgreSQL in folders that are not on the PATH, of each version. */
const FIND_PGBENCH = 'command -v pgbench || ls /usr/lib/postgresql/*/bin/pgbench | sort -V | tail -n 1';

async function findPgbench(): Promise<string | undefined> {
  const { output } = await runProgram('/bin/sh', ['-c', `(${FIND_PGBENCH}) 2>/dev/null`]);
  return output.startsWith('/') ? output : undefined;
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
