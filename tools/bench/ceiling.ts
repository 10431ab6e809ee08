import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { findProgram, runProgram, SYSTEM_ENVIRONMENT } from '#tools/services/run-program.js';
import type { BenchDatabase } from './database.js';
import { below } from './load/workloads.js';
import { ACCOUNTS, AMOUNT_MICROS, DECIDED, USERS, WAGERS } from './seeded-data.js';

/** Only TypeScript is compiled into build/: these files are read from the sources. */
const sourceFile = (name: string) => fileURLToPath(new URL(`../../../tools/bench/${name}`, import.meta.url));
const FUNCTIONS_FILE = sourceFile('ceiling.sql');
const LEAN_FILE = sourceFile('lean-ceiling.sql');

/** A statement with `:name` for its variables, and how often it comes among the others. */
interface CeilingStatement {
  readonly name: string;
  readonly weight: number;
  readonly sql: string;
}

const user = `(:account - 1) * ${USERS} + :user`;
const wager = `(:account - 1) * ${WAGERS} + :wager`;
const make = { name: 'make', sql: `SELECT bench_make(:account, ${user}, ${wager}, :odds * 10000, ${AMOUNT_MICROS});` };
const accept = { name: 'accept', sql: `SELECT bench_accept(:account, ${user}, ${wager});` };
const cancel = { name: 'cancel', sql: `SELECT bench_cancel(:account, ${wager});` };
const read = {
  name: 'read',
  sql: `SELECT * FROM users u JOIN balances b ON b.account_id = u.account_id AND b.user_id = u.id WHERE u.account_id = :account AND u.id = ${user};`,
};
const lean = {
  make: { name: 'make', sql: `SELECT lean_make(:account, ${user}, 'w' || :wager, :odds * 0.01, 10);` },
  accept: { name: 'accept', sql: `SELECT lean_accept(:account, ${user}, 'w' || :wager);` },
  cancel: { name: 'cancel', sql: `SELECT lean_cancel(:account, 'w' || :wager);` },
  read: { name: 'read', sql: `SELECT * FROM users WHERE account_id = :account AND id = ${user};` },
};

const mixOf = ({ make, accept, cancel, read }: typeof lean) => [
  { ...make, weight: 5 },
  { ...accept, weight: 3 },
  { ...cancel, weight: 1 },
  { ...read, weight: 1 },
];

const CEILINGS = {
  make: [{ ...make, weight: 1 }],
  accept: [{ ...accept, weight: 1 }],
  mixed: mixOf({ make, accept, cancel, read }),
  decide: [{ name: 'decide', sql: `SELECT bench_decide(${ACCOUNTS}, '${DECIDED}');`, weight: 1 }],
  'lean-make': [{ ...lean.make, weight: 1 }],
  'lean-accept': [{ ...lean.accept, weight: 1 }],
  'lean-mixed': mixOf(lean),
} satisfies Record<string, readonly CeilingStatement[]>;

export type CeilingName = keyof typeof CEILINGS;

const CLIENTS = 32;
const PGBENCH_THREADS = 2;
/** The 32 connections of pgbench take most of a second to log in. */
export const MIN_PGBENCH_SECONDS = 2;
const START_AND_END_MS = 30_000;
const SOME_ODDS = { from: 150, to: 300 };

/** Creates the functions that the ceilings on the product's tables call. */
export async function createCeilingFunctions(database: BenchDatabase): Promise<void> {
  await database.query(await readFile(FUNCTIONS_FILE, 'utf8'));
}

/** Creates and seeds the lean tables in an empty database. */
export async function createLeanTables(database: BenchDatabase): Promise<void> {
  await database.query(await readFile(LEAN_FILE, 'utf8'));
  await database.query('SELECT lean_seed($1, $2, $3)', [ACCOUNTS, USERS, WAGERS]);
}

export interface Ceiling {
  /** `pgbench`, or `pg driver` without it: the driver's own work then counts, so the ceiling looks lower. */
  readonly drivenBy: string;
  readonly rate: number;
  readonly meanMs: number;
}

export interface CeilingRequest {
  readonly database: BenchDatabase;
  readonly name: CeilingName;
  readonly seconds: number;
  /** For each client, instead of a time: a fast machine must not use up what was seeded. */
  readonly transactions?: number;
  /** The number of accounts, from the first on. */
  readonly accounts: number;
  /** Default: 32. */
  readonly clients?: number;
}

/** Measures how many operations a second PostgreSQL can do for its clients, each in its own transaction. */
export async function measureCeiling(request: CeilingRequest): Promise<Ceiling> {
  const program = await findProgram('pgbench');
  return program === undefined ? driveByPg(request) : driveByPgbench(program, request);
}

async function driveByPgbench(
  program: string,
  { database, name, seconds, transactions, accounts, clients = CLIENTS }: CeilingRequest,
): Promise<Ceiling> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ledger-pgbench-'));
  try {
    const files = await Promise.all(
      CEILINGS[name].map(async (statement) => {
        const file = path.join(folder, `${statement.name}.sql`);
        await writeFile(file, scriptOf(statement, accounts));
        return ['-f', `${file}@${statement.weight}`];
      }),
    );
    const whole = String(Math.max(MIN_PGBENCH_SECONDS, Math.round(seconds)));
    const length = transactions === undefined ? ['-T', whole] : ['-t', String(transactions)];
    const threads = String(Math.min(PGBENCH_THREADS, clients));
    const protocol = name.startsWith('lean-') ? 'prepared' : 'simple';
    const args = ['-n', '-M', protocol, '-c', String(clients), '-j', threads, ...length, ...files.flat()];
    const { succeeded, output } = await runProgram(program, args, {
      env: { ...SYSTEM_ENVIRONMENT, ...connectionOf(database.url) },
      timeoutMs: seconds * 1_000 + START_AND_END_MS,
    });
    const rate = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
    if (!succeeded || !(rate > 0)) throw new Error(`pgbench failed:\n${output}`);
    return { drivenBy: 'pgbench', rate, meanMs: Number(/latency average = ([\d.]+)/.exec(output)?.[1]) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function scriptOf({ sql }: CeilingStatement, accounts: number): string {
  const ranges = Object.entries(rangesFor(accounts)).map(([name, to]) => `\\set ${name} random(1, ${to})`);
  return [...ranges, `\\set odds random(${SOME_ODDS.from}, ${SOME_ODDS.to})`, sql, ''].join('\n');
}

/** Passed by the environment: every user of the machine can read the command line. */
function connectionOf(url: string): NodeJS.ProcessEnv {
  const { hostname, port, username, password, pathname } = new URL(url);
  return { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password, PGDATABASE: pathname.slice(1) };
}

async function driveByPg(request: CeilingRequest): Promise<Ceiling> {
  const { database, name, seconds, transactions, accounts, clients = CLIENTS } = request;
  const pool = new pg.Pool({ connectionString: database.url, max: clients });
  const all: readonly CeilingStatement[] = CEILINGS[name];
  const statements = all.flatMap((statement) => Array.from({ length: statement.weight }, () => statement.sql));
  const since = performance.now();
  const isOver = (count: number) =>
    transactions === undefined ? performance.now() - since >= seconds * 1_000 : count >= transactions;
  let done = 0;
  const client = async () => {
    for (let count = 0; !isOver(count); count += 1) {
      await pool.query(withValues(statements[below(statements.length)] ?? '', accounts));
      done += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } finally {
    await pool.end();
  }
  const tookMs = performance.now() - since;
  return { drivenBy: 'pg driver', rate: (done * 1_000) / tookMs, meanMs: (clients * tookMs) / done };
}

/** Each variable is drawn from 1 to its number. */
const rangesFor = (accounts: number) => ({ account: accounts, user: USERS, wager: WAGERS });

/** Safe without parameters: the values are whole numbers that are drawn here. */
function withValues(sql: string, accounts: number): string {
  const odds = SOME_ODDS.from + below(SOME_ODDS.to - SOME_ODDS.from + 1);
  const values = Object.entries(rangesFor(accounts)).map(([name, to]) => [name, 1 + below(to)] as const);
  return [...values, ['odds', odds] as const].reduce(
    (text, [name, value]) => text.replaceAll(`:${name}`, String(value)),
    sql,
  );
}
