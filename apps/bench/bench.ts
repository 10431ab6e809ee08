import type { BenchDatabase } from './database.js';
import type { LoadResult, Workload } from './load/plan.js';
import type { LoadProcess } from './load-process.js';
import type { BenchOptions } from './options.js';
import type { GrowthRow, MemoryRow, Print, RateRow } from './report.js';
import type { Server, Services } from './services.js';
import type { World } from './world.js';

/** What every scenario works with, and where it leaves its figures. */
export interface Bench {
  readonly options: BenchOptions;
  readonly services: Services;
  readonly load: LoadProcess;
  readonly print: Print;
  readonly figures: { readonly rates: RateRow[]; readonly growth: GrowthRow[]; memory?: MemoryRow };
}

/** A seeded database and an API on it. */
export interface Stage {
  readonly database: BenchDatabase;
  readonly world: World;
  readonly api: Server;
}

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly workload: Workload;
  /** Default: as the options say. */
  readonly seconds?: number;
  readonly warmUpMs?: number;
}

const WARM_UP_MS = 700;

export function runLoad(
  { load, options }: Bench,
  { port, connections, workload, seconds, warmUpMs }: LoadOptions,
): Promise<LoadResult> {
  return load.run({
    port,
    connections,
    workload,
    warmUpMs: warmUpMs ?? WARM_UP_MS,
    measureMs: (seconds ?? options.seconds) * 1_000,
  });
}

export const isWanted = ({ only }: BenchOptions, name: string): boolean =>
  only.length === 0 || only.some((beginning) => name.startsWith(beginning));
