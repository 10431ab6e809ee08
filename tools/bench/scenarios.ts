import { type Bench, isWanted, runLoad } from './bench.js';
import { createCeilingFunctions, createLeanTables } from './ceiling.js';
import { measureCosts, prepareCosts } from './costs.js';
import { type Goal, type GoalName, goalOf } from './goals.js';
import type { Workload } from './load/plan.js';
import { type Measured, measureScenario, type RateTarget, reportRate, type Scenario } from './measure-scenario.js';
import { ProcessMeter } from './process-meter.js';
import { printMemory, printRateHead } from './report.js';
import { seedAccounts } from './seed.js';
import { ACCOUNTS } from './seeded-data.js';
import type { Server } from './services.js';

const BATCH = 20;
const CONTEXT_CONNECTIONS = 64;
/** Node.js compiles what is called often. Before that, a make-offer at one connection costs a fifth more. */
const WARM_UP = { connections: 64, seconds: 12 };

const noGoals = () => [];

/** One request at a time waits for its own round trips and its own commit: three single statements are no more. */
const P50_AT_1 = { ms: 3, lean: 3 };

const goalIf = (name: GoalName, value: number | undefined): readonly Goal[] =>
  value === undefined ? [] : [goalOf(name, value)];

/** The goals of make-offer on 10 accounts. */
function makeGoals({ connections, ratio, figures, costs, lean }: Measured): readonly Goal[] {
  const { p50Ms, p99Ms } = figures;
  const { apiCpuMicros, postgresCpuMicros, walBytes } = costs;
  switch (connections) {
    case 1: {
      const p50 = lean?.singleMs && p50Ms / Math.max(P50_AT_1.ms, P50_AT_1.lean * lean.singleMs);
      const cpu = [...goalIf('makeApiAt1', apiCpuMicros), ...goalIf('makePostgresAt1', postgresCpuMicros)];
      return [...goalIf('makeP50At1', p50), ...cpu];
    }
    case 64: {
      const cpu = [...goalIf('makeApiAt64', apiCpuMicros), ...goalIf('makePostgresAt64', postgresCpuMicros)];
      const beside = [goalOf('makeRatioAt64', ratio), ...goalIf('makeLeanAt64', lean?.ratio)];
      const latency = [goalOf('makeP99At64', p99Ms), goalOf('makeSpreadAt64', p99Ms / p50Ms)];
      return [...beside, ...latency, ...cpu, ...goalIf('makeWal', walBytes)];
    }
    case 256: {
      const cpu = [...goalIf('makeApiAt256', apiCpuMicros), ...goalIf('makePostgresAt256', postgresCpuMicros)];
      return [goalOf('makeRatioAt256', ratio), ...goalIf('makeLeanAt256', lean?.ratio), ...cpu];
    }
    default:
      return [];
  }
}

/** The goal at 64 connections beside the lean ceiling. */
const leanGoal =
  (name: GoalName) =>
  ({ connections, lean }: Measured): readonly Goal[] =>
    connections === 64 ? goalIf(name, lean?.ratio) : [];

/** The cost of keys. */
const keyedGoals = ({ connections, besideRatio }: Measured): readonly Goal[] =>
  connections === 64 ? goalIf('keyedAt64', besideRatio) : [];

const one = { size: 1, goals: noGoals };

const SCENARIOS: readonly Scenario[] = [
  {
    ...{ ...one, name: 'make-offer', accounts: ACCOUNTS, ceiling: 'make', lean: 'lean-make', goals: makeGoals },
    workload: (accounts) => ({ kind: 'make', accounts }),
  },
  {
    ...{ ...one, name: 'make-keyed', accounts: ACCOUNTS, ceiling: 'make', goals: keyedGoals },
    workload: (accounts) => ({ kind: 'make-keyed', accounts }),
    beside: (accounts) => ({ kind: 'make', accounts }),
  },
  {
    ...{ ...one, name: 'make-offer-hot', accounts: 1, ceiling: 'make' },
    workload: (accounts) => ({ kind: 'make', accounts }),
  },
  {
    ...{ ...one, name: 'accept-offer', accounts: ACCOUNTS, ceiling: 'accept', lean: 'lean-accept', uses: 'offers' },
    goals: leanGoal('acceptLeanAt64'),
    workload: (accounts) => ({ kind: 'accept', accounts }),
  },
  {
    ...{ ...one, name: 'mixed', accounts: ACCOUNTS, ceiling: 'mixed', lean: 'lean-mixed', uses: 'offers' },
    goals: leanGoal('mixedLeanAt64'),
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
  await prepareCosts(database);
  const lean = await services.createBareDatabase('lean');
  await createLeanTables(lean);
  const api = await services.startApi(database);
  const meter = new ProcessMeter(api.pid);
  const postgres = new ProcessMeter(services.postgresPid);
  const meters = { api: meter, ledger: { server: api, postgres, database } };
  const target: RateTarget = { database, accounts, api, lean, meters };
  await runLoad(bench, { ...WARM_UP, port: api.port, workload: { kind: 'mixed', accounts } });
  printRateHead(print);
  if (isWanted(options, CONTEXT)) await measureContext(bench, target);
  let afterFirstMb: number | undefined;
  for (const scenario of wanted) {
    await measureScenario(bench, target, scenario);
    afterFirstMb ??= meter.memoryMb();
  }
  for (const one of [meter, postgres]) one.stop();
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
async function measureContext(bench: Bench, { accounts, api, meters }: RateTarget): Promise<void> {
  const [account] = accounts;
  if (account === undefined) return;
  const empty = await bench.services.startEmptyRoute();
  const emptyMeter = new ProcessMeter(empty.pid);
  const calls: [string, Server, string, ProcessMeter][] = [
    ['empty Express route', empty, '/', emptyMeter],
    ['GET /healthz', api, '/healthz', meters.api],
    ['GET /auth/account/me', api, '/auth/account/me', meters.api],
  ];
  for (const [scenario, { port }, path, watched] of calls) {
    const { authorization } = account;
    const workload: Workload = { kind: 'cycle', requests: [{ label: 'get', method: 'GET', path, authorization }] };
    const seconds = Math.min(2, bench.options.seconds);
    const load = () => runLoad(bench, { port, connections: CONTEXT_CONNECTIONS, workload, seconds });
    const measured = await measureCosts({ api: watched }, load);
    reportRate(bench, { scenario, connections: CONTEXT_CONNECTIONS, goals: [] }, measured);
  }
  emptyMeter.stop();
  await empty.stop();
}
