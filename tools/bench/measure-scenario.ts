import { type Bench, runLoad, type Target } from './bench.js';
import { type Ceiling, type CeilingName, MIN_PGBENCH_SECONDS, measureCeiling } from './ceiling.js';
import { type CostMeters, type Costs, type Measured as MeasuredLoad, measureCosts } from './costs.js';
import type { BenchDatabase } from './database.js';
import type { Goal } from './goals.js';
import type { LoadAccount, LoadFigures, NumberedWagers, Workload } from './load/plan.js';
import { type LeanFigures, printRate, type RateRow } from './report.js';
import { finishSeeding, topUpOffers, vacuumAndCheckpoint } from './seed.js';
import { ACCOUNTS, USERS, WAGERS } from './seeded-data.js';
import { topUpSmallWagers } from './settlement-seed.js';

/** More than any measurement uses up: without offers left it would measure refusals. */
const ACCEPTS_A_SECOND = 14_000;
/** The same for wagers: their load ends early when none is left. */
const DECISIONS_A_SECOND = 2_500;

export interface Scenario {
  readonly name: string;
  readonly accounts: number;
  /** On the product's tables. */
  readonly ceiling: CeilingName;
  /** On the lean tables. */
  readonly lean?: CeilingName;
  /** What the load uses up: offers to take, wagers to decide. */
  readonly uses?: 'offers' | 'wagers';
  /** Operations in one request. */
  readonly size: number;
  /** Default: all. */
  readonly levels?: readonly number[];
  workload(accounts: readonly LoadAccount[], wagers: NumberedWagers): Workload;
  /** Another load to compare with, which runs before and after. */
  readonly beside?: (accounts: readonly LoadAccount[]) => Workload;
  goals(measured: Measured): readonly Goal[];
}

/** The figures of one level of a scenario, and all earlier ones. */
export interface Measured {
  readonly connections: number;
  readonly ratio: number;
  readonly figures: LoadFigures;
  readonly costs: Costs;
  readonly lean: LeanFigures | undefined;
  /** The rate over that of the other load. */
  readonly besideRatio: number | undefined;
}

export interface RateTarget extends Target {
  /** The database of the lean ceilings. */
  readonly lean: BenchDatabase;
  readonly meters: CostMeters;
}

const NO_WAGERS: NumberedWagers = { name: '', from: 1, count: 0 };

interface Ceilings {
  readonly own: Ceiling;
  readonly lean: Ceiling | undefined;
}

/** Measures each level between two ceilings of each kind, so that other work of the machine slows down all of them. */
export async function measureScenario(bench: Bench, target: RateTarget, scenario: Scenario): Promise<void> {
  const { seconds, quick } = bench.options;
  const { api, meters } = target;
  const accounts = target.accounts.slice(0, scenario.accounts);
  let before = await measureCeilings(bench, target, scenario);
  for (const connections of scenario.levels ?? (quick ? [16, 64] : [1, 16, 64, 256])) {
    const workload = scenario.workload(accounts, await prepare(target, scenario, seconds));
    const load = () => runLoad(bench, { port: api.port, connections, workload });
    const other = scenario.beside?.(accounts);
    const loadBeside = async () =>
      other && (await runLoad(bench, { port: api.port, connections, workload: other, seconds: seconds / 2 })).all.rate;
    const besideBefore = await loadBeside();
    const measured = await measureCosts(meters, load, scenario.size);
    const besideAfter = await loadBeside();
    const after = await measureCeilings(bench, target, scenario);
    const rate = measured.result.all.rate * scenario.size;
    const ceiling = { ...after.own, rate: (before.own.rate + after.own.rate) / 2 };
    const lean = await leanFigures(target, scenario, { connections, rate, before: before.lean, after: after.lean });
    const { all: figures } = measured.result;
    const { costs } = measured;
    const besideRatio = besideBefore && besideAfter && (2 * rate) / (besideBefore + besideAfter);
    const goals = scenario.goals({ connections, ratio: rate / ceiling.rate, figures, costs, lean, besideRatio });
    const subject = { scenario: scenario.name, connections, goals, ceiling, size: scenario.size };
    reportRate(bench, lean === undefined ? subject : { ...subject, lean }, measured);
    before = after;
  }
}

async function measureCeilings({ options }: Bench, target: RateTarget, scenario: Scenario): Promise<Ceilings> {
  const { database, lean: leanDatabase } = target;
  const request = { seconds: options.seconds / 2, accounts: scenario.accounts };
  await prepare(target, scenario, options.seconds);
  const own = await measureCeiling({ ...request, database, name: scenario.ceiling });
  if (scenario.lean === undefined) return { own, lean: undefined };
  await prepareLean(target, scenario, options.seconds);
  return { own, lean: await measureCeiling({ ...request, database: leanDatabase, name: scenario.lean }) };
}

interface BesideLean {
  readonly connections: number;
  readonly rate: number;
  readonly before: Ceiling | undefined;
  readonly after: Ceiling | undefined;
}

/** At one connection the latency counts: it stands beside one client of the lean ceiling. */
async function leanFigures(
  target: RateTarget,
  scenario: Scenario,
  beside: BesideLean,
): Promise<LeanFigures | undefined> {
  const { before, after, connections, rate } = beside;
  const { lean: name, accounts } = scenario;
  if (name === undefined || before === undefined || after === undefined) return undefined;
  const leanRate = (before.rate + after.rate) / 2;
  const figures = { rate: leanRate, ratio: rate / leanRate };
  if (connections !== 1) return figures;
  const single = { database: target.lean, name, seconds: MIN_PGBENCH_SECONDS, accounts, clients: 1 };
  return { ...figures, singleMs: (await measureCeiling(single)).meanMs };
}

/** Seeds what the scenario uses up; returns the wagers to decide. */
async function prepare({ database }: Target, scenario: Scenario, seconds: number): Promise<NumberedWagers> {
  let wagers = NO_WAGERS;
  if (scenario.uses === 'offers') {
    const perWager = offersOfAWager(scenario, seconds);
    for (let account = 1; account <= scenario.accounts; account += 1) await topUpOffers(database, account, perWager);
  }
  if (scenario.uses === 'wagers') {
    const perAccount = Math.ceil((DECISIONS_A_SECOND * (Math.max(seconds, MIN_PGBENCH_SECONDS) + 1)) / ACCOUNTS);
    wagers = await topUpSmallWagers(database, ACCOUNTS, perAccount);
    await database.query(`SELECT setval('bench_turns', ${(wagers.from - 1) * ACCOUNTS + 1}, false)`);
  }
  await finishSeeding(database);
  return wagers;
}

async function prepareLean({ lean }: RateTarget, scenario: Scenario, seconds: number): Promise<void> {
  if (scenario.uses === 'offers') {
    await lean.query('SELECT lean_top_up($1, $2, $3)', [scenario.accounts, USERS, offersOfAWager(scenario, seconds)]);
  }
  await vacuumAndCheckpoint(lean);
}

const offersOfAWager = ({ accounts }: Scenario, seconds: number) =>
  Math.ceil((ACCEPTS_A_SECOND * (seconds + 1)) / (accounts * WAGERS));

interface Subject {
  readonly scenario: string;
  readonly connections: number;
  readonly goals: readonly Goal[];
  readonly ceiling?: Ceiling;
  readonly lean?: LeanFigures;
  readonly size?: number;
}

export function reportRate({ figures, print }: Bench, subject: Subject, { result, costs }: MeasuredLoad): void {
  const { scenario, connections, goals, ceiling, lean, size = 1 } = subject;
  const rate = result.all.rate * size;
  const row: RateRow = {
    scenario,
    connections,
    rate,
    figures: result.all,
    byLabel: result.byLabel,
    complaints: result.complaints,
    ...(ceiling === undefined ? {} : { ceiling, ratio: rate / ceiling.rate }),
    ...(lean === undefined ? {} : { lean }),
    costs,
    generatorLoad: result.generatorLoad,
    goals,
  };
  figures.rates.push(row);
  printRate(print, row);
}
