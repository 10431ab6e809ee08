import type { BenchDatabase } from './database.js';
import type { LoadResult } from './load/plan.js';
import type { ProcessMeter } from './process-meter.js';
import { METRICS_TOKEN, type Server } from './services.js';

/** Where a load leaves its costs. */
export interface CostMeters {
  readonly api: ProcessMeter;
  /** Undefined: only the API is of interest. */
  readonly ledger?: {
    readonly server: Server;
    readonly postgres: ProcessMeter;
    readonly database: BenchDatabase;
  };
}

/** The cost of one operation; each part is undefined where the system does not tell it. */
export interface Costs {
  readonly apiCpuMicros?: number;
  readonly postgresCpuMicros?: number;
  /**
   * Of an operation of the ledger, without the images of whole pages: their number depends on how recent the last
   * checkpoint is.
   */
  readonly walBytes?: number;
  /** Transactions of the ledger in a second. */
  readonly groups?: number;
  /** Operations in one of them. */
  readonly groupSize?: number;
}

interface Reading {
  readonly at: number;
  readonly apiMs: number | undefined;
  readonly postgresMs: number | undefined;
  readonly walPosition: string | undefined;
  readonly groups: number | undefined;
  readonly operations: number | undefined;
}

export interface Measured {
  readonly result: LoadResult;
  readonly costs: Costs;
}

/** Reads WAL by an extension of PostgreSQL, where the installation has it. */
export async function prepareCosts(database: BenchDatabase): Promise<void> {
  const available = await database.query("SELECT FROM pg_available_extensions WHERE name = 'pg_walinspect'");
  if (available.length > 0) await database.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
}

/** Runs a load; `size`: operations in one request. */
export async function measureCosts(meters: CostMeters, load: () => Promise<LoadResult>, size = 1): Promise<Measured> {
  const before = await read(meters);
  const result = await load();
  const after = await read(meters);
  const seconds = (after.at - before.at) / 1_000;
  const rate = result.all.rate * size;
  // Busy share over rate: the warm-up counts in both.
  const perOperation = (from: number | undefined, to: number | undefined, unit: number) =>
    from === undefined || to === undefined || rate === 0 ? undefined : ((to - from) * unit) / seconds / rate;
  const [groups, operations] = [
    difference(before.groups, after.groups),
    difference(before.operations, after.operations),
  ];
  const costs = {
    apiCpuMicros: perOperation(before.apiMs, after.apiMs, 1_000),
    postgresCpuMicros: perOperation(before.postgresMs, after.postgresMs, 1_000),
    walBytes: perOne(await walBetween(meters, before, after), operations),
    groups: groups === undefined ? undefined : groups / seconds,
    groupSize: perOne(operations, groups),
  };
  return { result, costs: known(costs) };
}

async function read({ api, ledger }: CostMeters): Promise<Reading> {
  const walPosition = ledger && (await readWalPosition(ledger.database));
  const groups = ledger && (await readGroups(ledger.server));
  const [apiMs, postgresMs] = [api.cpuMs(), ledger?.postgres.cpuMs()];
  return { at: performance.now(), apiMs, postgresMs, walPosition, groups: groups?.[0], operations: groups?.[1] };
}

async function readWalPosition(database: BenchDatabase): Promise<string | undefined> {
  const [row] = await database.query<{ position: string }>(
    "SELECT pg_current_wal_flush_lsn()::text AS position FROM pg_extension WHERE extname = 'pg_walinspect'",
  );
  return row?.position;
}

async function walBetween(
  { ledger }: CostMeters,
  { walPosition: from }: Reading,
  { walPosition: to }: Reading,
): Promise<number | undefined> {
  if (ledger === undefined || from === undefined || to === undefined) return undefined;
  if (from === to) return 0;
  const [row] = await ledger.database.query<{ bytes: number }>(
    'SELECT sum(record_size)::float8 AS bytes FROM pg_get_wal_stats($1::pg_lsn, $2::pg_lsn)',
    [from, to],
  );
  return row?.bytes;
}

/** The transactions of the ledger so far, and the operations in them. */
async function readGroups({ port }: Server): Promise<readonly [number, number] | undefined> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  const figureOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1]);
  const [groups, operations] = [
    figureOf('ledger_transaction_operations_count'),
    figureOf('ledger_transaction_operations_sum'),
  ];
  return Number.isNaN(groups + operations) ? undefined : [groups, operations];
}

const perOne = (all: number | undefined, count: number | undefined) =>
  all === undefined || count === undefined || count === 0 ? undefined : all / count;

const difference = (from: number | undefined, to: number | undefined) =>
  from === undefined || to === undefined ? undefined : to - from;

type Known<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

const known = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Known<Values>;
