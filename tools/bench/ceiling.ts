import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { findProgram, runProgram, SYSTEM_ENVIRONMENT } from '#tools/services/run-program.js';
import { CEILINGS, type CeilingName, type CeilingStatement, variablesFor } from './ceiling-functions.js';
import type { BenchDatabase } from './database.js';

const CLIENTS = 32;
const PGBENCH_THREADS = 2;
/** Its 32 connections take most of a second to log in. */
export const MIN_PGBENCH_SECONDS = 2;
const START_AND_END_MS = 30_000;
const SOME_ODDS = { from: 150, to: 300 };

export interface Ceiling {
  /** `pgbench`, or `pg driver` where there is none: its own work then counts, so the ceiling looks lower. */
  readonly drivenBy: string;
  readonly rate: number;
  readonly meanMs: number;
}

export interface CeilingRequest {
  readonly database: BenchDatabase;
  readonly name: CeilingName;
  readonly seconds: number;
  /** The first so many accounts. */
  readonly accounts: number;
}

/** How many operations a second the database itself can do, each in a transaction of its own, for 32 clients. */
export async function measureCeiling(request: CeilingRequest): Promise<Ceiling> {
  const program = await findProgram('pgbench');
  return program === undefined ? driveByPg(request) : driveByPgbench(program, request);
}

async function driveByPgbench(
  program: string,
  { database, name, seconds, accounts }: CeilingRequest,
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
    const args = ['-n', '-c', String(CLIENTS), '-j', String(PGBENCH_THREADS), '-T', whole, ...files.flat()];
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
  const ranges = Object.entries(variablesFor(accounts)).map(([name, to]) => `\\set ${name} random(1, ${to})`);
  return [...ranges, `\\set odds random(${SOME_ODDS.from}, ${SOME_ODDS.to})`, sql, ''].join('\n');
}

/** Not on the command line, where everybody could read the password. */
function connectionOf(url: string): NodeJS.ProcessEnv {
  const { hostname, port, username, password, pathname } = new URL(url);
  return { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password, PGDATABASE: pathname.slice(1) };
}

async function driveByPg({ database, name, seconds, accounts }: CeilingRequest): Promise<Ceiling> {
  const pool = new pg.Pool({ connectionString: database.url, max: CLIENTS });
  const statements = CEILINGS[name].flatMap((statement) =>
    Array.from({ length: statement.weight }, () => statement.sql),
  );
  const until = performance.now() + seconds * 1_000;
  let done = 0;
  const client = async () => {
    while (performance.now() < until) {
      await pool.query(withValues(statements[below(statements.length)] ?? '', accounts));
      done += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: CLIENTS }, client));
  } finally {
    await pool.end();
  }
  return { drivenBy: 'pg driver', rate: done / seconds, meanMs: (CLIENTS * seconds * 1_000) / done };
}

const below = (bound: number): number => Math.floor(Math.random() * bound);

/** Whole numbers only, made here. */
function withValues(sql: string, accounts: number): string {
  const odds = SOME_ODDS.from + below(SOME_ODDS.to - SOME_ODDS.from + 1);
  const values = Object.entries(variablesFor(accounts)).map(([name, to]) => [name, 1 + below(to)] as const);
  return [...values, ['odds', odds] as const].reduce(
    (text, [name, value]) => text.replaceAll(`:${name}`, String(value)),
    sql,
  );
}
