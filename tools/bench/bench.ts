import type { BenchDatabase } from './database.js';
import type { LeanCeiling } from './lean-ceiling.js';
import type { LoadAccount, LoadPlan } from './load/plan.js';
import type { BenchOptions } from './options.js';
import type { Build, Server, Services } from './services.js';

export type Print = (line: string) => void;

/** By what each is, with its unit. */
export type Figures = Readonly<Record<string, number>>;

/** Without those that could not be measured. */
export const known = (figures: Readonly<Record<string, number | undefined>>): Figures =>
  Object.fromEntries(Object.entries(figures).filter((entry): entry is [string, number] => Number.isFinite(entry[1])));

/** The figure that is compared with the ceiling. */
export const RATE = 'a second';

/** The means of every scenario. */
export interface Bench {
  readonly options: BenchOptions;
  readonly services: Services;
}

export interface Measurement {
  /** May be called again and again. */
  measure(): Promise<Figures>;
  close(): Promise<void>;
}

export interface Scenario {
  readonly name: string;
  /** Seeds and starts what the scenario needs, on a build. */
  prepare(bench: Bench, build: Build): Promise<Measurement>;
  /** The rate of the lean ceiling; undefined where it cannot be measured. */
  readonly ceiling?: (lean: LeanCeiling, options: BenchOptions) => Promise<number | undefined>;
}

/** A seeded database and an API on it. */
export interface Target {
  readonly database: BenchDatabase;
  /** In order: the first has the id 1. */
  readonly accounts: readonly LoadAccount[];
  readonly api: Pick<Server, 'port' | 'pid'>;
}

const WARM_UP_MS = 700;

/** `share`: of the time of the options. */
export const planFor = (
  { seconds }: BenchOptions,
  { port }: Target['api'],
  load: Pick<LoadPlan, 'connections' | 'workload'> & { readonly share?: number },
): LoadPlan => ({
  port,
  connections: load.connections,
  workload: load.workload,
  warmUpMs: WARM_UP_MS,
  measureMs: seconds * 1_000 * (load.share ?? 1),
});

export function accountOf({ accounts }: Pick<Target, 'accounts'>, number: number): LoadAccount {
  const account = accounts[number - 1];
  if (account === undefined) throw new Error(`There is no account ${number}.`);
  return account;
}
