import type { BenchDatabase } from './database.js';
import type { LoadAccount, LoadResult, Workload } from './load/plan.js';
import type { LoadProcess } from './load-process.js';
import type { BenchOptions } from './options.js';
import type { ComparisonRow, GrowthRow, MemoryRow, Print, RateRow } from './report.js';
import type { Server, Services } from './services.js';

/** The means of every scenario, and its figures. */
export interface Bench {
  readonly options: BenchOptions;
  readonly services: Services;
  readonly load: LoadProcess;
  readonly print: Print;
  readonly figures: {
    readonly rates: RateRow[];
    readonly growth: GrowthRow[];
    readonly background: ComparisonRow[];
    memory?: MemoryRow;
  };
}

/** A seeded database and an API on it. */
export interface Target {
  readonly database: BenchDatabase;
  /** In order: the first has the id 1. */
  readonly accounts: readonly LoadAccount[];
  readonly api: Server;
}

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly workload: Workload;
  /** Default: the value of the options. */
  readonly seconds?: number;
  readonly warmUpMs?: number;
  readonly pacePerSecond?: number;
}

const WARM_UP_MS = 700;

export function runLoad({ load, options }: Bench, { seconds, warmUpMs, ...rest }: LoadOptions): Promise<LoadResult> {
  return load.run({
    ...rest,
    warmUpMs: warmUpMs ?? WARM_UP_MS,
    measureMs: (seconds ?? options.seconds) * 1_000,
  });
}

export const isWanted = ({ only }: BenchOptions, name: string): boolean =>
  only.length === 0 || only.some((beginning) => name.startsWith(beginning));
