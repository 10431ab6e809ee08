import { type Bench, isWanted, runLoad, type Target } from './bench.js';
import {
  type Ceiling,
  type CeilingName,
  createCeilingFunctions,
  MIN_PGBENCH_SECONDS,
  measureCeiling,
} from './ceiling.js';
import { type Goal, goalOf } from './goals.js';
import type { LoadAccount, LoadFigures, LoadResult, NumberedWagers, Workload } from './load/plan.js';
import { ProcessMeter } from './process-meter.js';
import { printMemory, printRate, printRateHead, type RateRow } from './report.js';
import { seedAccounts, topUpOffers, vacuumAndCheckpoint } from './seed.js';
import { ACCOUNTS, WAGERS } from './seeded-data.js';
import type { Server } from './services.js';
import { topUpSmallWagers } from './settlement-seed.js';

const BATCH = 20;
const CONTEXT_CONNECTIONS = 64;
/** Node.js compiles during the first seconds of the API. */
const WARM_UP = { connections: 16, seconds: 2 };
/** More than any measurement uses up: without offers left it would measure refusals. */
const ACCEPTS_A_SECOND = 14_000;
/** The same for wagers: their load ends early when none is left. */
const DECISIONS_A_SECOND = 2_500;

interface Scenario {
  readonly name: string;
  readonly accounts: number;
  readonly ceiling: CeilingName;
  /** What the load uses up: offers to take, wagers to decide. */
  readonly uses?: 'offers' | 'wagers';
  /** Operations in one request. */
  readonly size: number;
  /** Default: all. */
  readonly levels?: readonly number[];
  workload(accounts: readonly LoadAccount[], wagers: NumberedWagers): Workload;
  goals(measured: Measured): readonly Goal[];
}

/** The figures of one level of a scenario, and all earlier ones. */
interface Measured {
  readonly connections: number;
  readonly ratio: number;
  readonly figures: LoadFigures;
  readonly earlier: readonly RateRow[];
}

const MAKE_OFFER = 'make-offer';
const NO_WAGERS: NumberedWagers = { name: '', from: 1, count: 0 };

const noGoals = () => [];

/** The goals of make-offer on 10 accounts. */
function makeGoals({ connections, ratio, figures }: Measured): readonly Goal[] {
  if (connections === 64) return [goalOf('makeRatioAt64', ratio), goalOf('makeP99At64', figures.p99Ms)];
  return connections === 256 ? [goalOf('makeRatioAt256', ratio)] : [];
}

/** The cost of keys, by the ratios, because the two were measured one after the other. */
function keyedGoals({ connections, ratio, earlier }: Measured): readonly Goal[] {
  const plain = earlier.find((row) => row.scenario === MAKE_OFFER && row.connections === connections)?.ratio;
  return connections === 64 && plain !== undefined ? [goalOf('keyedAt64', ratio / plain)] : [];
}

const one = { size: 1, goals: noGoals };

const SCENARIOS: readonly Scenario[] = [
  {
    ...{ ...one, name: MAKE_OFFER, accounts: ACCOUNTS, ceiling: 'make', goals: makeGoals },
    workload: (accounts) => ({ kind: 'make', accounts }),
  },
  {
    ...{ ...one, name: 'make-keyed', accounts: ACCOUNTS, ceiling: 'make', goals: keyedGoals },
    workload: (accounts) => ({ kind: 'make-keyed', accounts }),
  },
  {
    ...{ ...one, name: 'make-offer-hot', accounts: 1, ceiling: 'make' },
    workload: (accounts) => ({ kind: 'make', accounts }),
  },
  {
    ...{ ...one, name: 'accept-offer', accounts: ACCOUNTS, ceiling: 'accept', uses: 'offers' },
    workload: (accounts) => ({ kind: 'accept', accounts }),
  },
  {
    ...{ ...one, name: 'mixed', accounts: ACCOUNTS, ceiling: 'mixed', uses: 'offers' },
    workload: (accounts) => ({ kind: 'mixed', accounts }),
  },
  {
    ...{ ...one, name: 'mixed-hot', accounts: 1, ceiling: 'mixed', uses: 'offers' },
    workload: (accounts) => ({ kind: 'mixed', accounts }),
  },
  {
    ...{ ...one, name: 'batch', accounts: ACCOUNTS, ceiling: 'make', size: BATCH },
    workload: (accounts) => ({ kind: 'batch', accounts, size: BATCH }),
  },
  {
    ...{ ...one, name: 'decide', accounts: ACCOUNTS, ceiling: 'decide', uses: 'wagers', levels: [16, 64] },
    workload: (accounts, wagers) => ({ kind: 'decide', accounts, wagers }),
  },
];

const CONTEXT = 'context';

/** Rates under load, each beside its ceiling. */
export async function measureRates(bench: Bench): Promise<void> {
  const { options, services, print } = bench;
  const wanted = SCENARIOS.filter(({ name }) => isWanted(options, name));
  if (wanted.length === 0 && !isWanted(options, CONTEXT)) return;
  const database = await services.createDatabase('rates');
  const accounts = await seedAccounts(database);
  await createCeilingFunctions(database);
  const api = await services.startApi(database);
  const meter = new ProcessMeter(api.pid);
  const target: Target = { database, accounts, api };
  await runLoad(bench, { ...WARM_UP, port: api.port, workload: { kind: 'mixed', accounts } });
  printRateHead(print);
  if (isWanted(options, CONTEXT)) await measureContext(bench, target, meter);
  let afterFirstMb: number | undefined;
  for (const scenario of wanted) {
    await measureScenario(bench, target, scenario, meter);
    afterFirstMb ??= meter.memoryMb();
  }
  meter.stop();
  recordMemory(bench, meter, afterFirstMb);
  await api.stop();
}

function recordMemory({ figures, print }: Bench, meter: ProcessMeter, afterFirstMb: number | undefined): void {
  const [startMb, endMb, peakMb] = [meter.startMb, meter.memoryMb(), meter.peakMb];
  if (startMb === undefined || endMb === undefined || peakMb === undefined) return;
  const goals = [goalOf('apiMemory', peakMb)];
  figures.memory = { startMb, afterFirstMb: afterFirstMb ?? endMb, peakMb, endMb, goals };
  printMemory(print, figures.memory);
}

/** The rates of routes without ledger work: the least of Express, then with the guards of the API. */
async function measureContext(bench: Bench, { accounts, api }: Target, meter: ProcessMeter): Promise<void> {
  const [account] = accounts;
  if (account === undefined) return;
  const empty = await bench.services.startEmptyRoute();
  const emptyMeter = new ProcessMeter(empty.pid);
  const calls: [string, Server, string, ProcessMeter][] = [
    ['empty Express route', empty, '/', emptyMeter],
    ['GET /healthz', api, '/healthz', meter],
    ['GET /auth/account/me', api, '/auth/account/me', meter],
  ];
  for (const [scenario, { port }, path, watched] of calls) {
    const { authorization } = account;
    const workload: Workload = { kind: 'cycle', requests: [{ label: 'get', method: 'GET', path, authorization }] };
    const seconds = Math.min(2, bench.options.seconds);
    const load = () => runLoad(bench, { port, connections: CONTEXT_CONNECTIONS, workload, seconds });
    report(bench, { scenario, connections: CONTEXT_CONNECTIONS, goals: [] }, await watch(watched, load));
  }
  emptyMeter.stop();
  await empty.stop();
}

/** Measures each level between two ceilings, so that other work of the machine slows down both. */
async function measureScenario(bench: Bench, target: Target, scenario: Scenario, meter: ProcessMeter): Promise<void> {
  const { seconds, quick } = bench.options;
  const { database, api } = target;
  const accounts = target.accounts.slice(0, scenario.accounts);
  const measureIt = async () => {
    await prepare(target, scenario, seconds);
    const ceiling = { database, name: scenario.ceiling, seconds: seconds / 2, accounts: accounts.length };
    return measureCeiling(ceiling);
  };
  let before = await measureIt();
  for (const connections of scenario.levels ?? (quick ? [16, 64] : [1, 16, 64, 256])) {
    const workload = scenario.workload(accounts, await prepare(target, scenario, seconds));
    const measured = await watch(meter, () => runLoad(bench, { port: api.port, connections, workload }));
    const after = await measureIt();
    const ceiling = { ...after, rate: (before.rate + after.rate) / 2 };
    const ratio = (measured.result.all.rate * scenario.size) / ceiling.rate;
    const goals = scenario.goals({ connections, ratio, figures: measured.result.all, earlier: bench.figures.rates });
    report(bench, { scenario: scenario.name, connections, goals, ceiling, size: scenario.size }, measured);
    before = after;
  }
}

/** Seeds what the scenario uses up; returns the wagers to decide. */
async function prepare({ database }: Target, scenario: Scenario, seconds: number): Promise<NumberedWagers> {
  let wagers = NO_WAGERS;
  if (scenario.uses === 'offers') {
    const perWager = Math.ceil((ACCEPTS_A_SECOND * (seconds + 1)) / (scenario.accounts * WAGERS));
    for (let account = 1; account <= scenario.accounts; account += 1) await topUpOffers(database, account, perWager);
  }
  if (scenario.uses === 'wagers') {
    const perAccount = Math.ceil((DECISIONS_A_SECOND * (Math.max(seconds, MIN_PGBENCH_SECONDS) + 1)) / ACCOUNTS);
    wagers = await topUpSmallWagers(database, ACCOUNTS, perAccount);
    await database.query(`SELECT setval('bench_turns', ${(wagers.from - 1) * ACCOUNTS + 1}, false)`);
  }
  await vacuumAndCheckpoint(database);
  return wagers;
}

interface Watched {
  readonly result: LoadResult;
  readonly cpuMs: number | undefined;
  readonly wallMs: number;
}

async function watch(meter: ProcessMeter, load: () => Promise<LoadResult>): Promise<Watched> {
  const [cpu, since] = [meter.cpuMs(), performance.now()];
  const result = await load();
  const now = meter.cpuMs();
  const cpuMs = cpu === undefined || now === undefined ? undefined : now - cpu;
  return { result, cpuMs, wallMs: performance.now() - since };
}

interface Subject {
  readonly scenario: string;
  readonly connections: number;
  readonly goals: readonly Goal[];
  readonly ceiling?: Ceiling;
  readonly size?: number;
}

function report({ figures, print }: Bench, subject: Subject, { result, cpuMs, wallMs }: Watched): void {
  const { scenario, connections, goals, ceiling, size = 1 } = subject;
  const rate = result.all.rate * size;
  // Busy share of the API over its rate: the warm-up counts in both.
  const apiCpuMicros = cpuMs === undefined || rate === 0 ? undefined : ((cpuMs / wallMs) * 1_000_000) / rate;
  const row: RateRow = {
    scenario,
    connections,
    rate,
    figures: result.all,
    byLabel: result.byLabel,
    complaints: result.complaints,
    ...(ceiling === undefined ? {} : { ceiling, ratio: rate / ceiling.rate }),
    ...(apiCpuMicros === undefined ? {} : { apiCpuMicros }),
    generatorLoad: result.generatorLoad,
    goals,
  };
  figures.rates.push(row);
  printRate(print, row);
}
