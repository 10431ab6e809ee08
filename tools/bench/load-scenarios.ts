import { type Bench, type Figures, known, planFor, RATE, type Scenario, type Target } from './bench.js';
import type { LoadResult } from './load/plan.js';
import { runLoad } from './load/run-load.js';
import { cpuMs, peakMb } from './process-meter.js';
import { ACCOUNTS, finishSeeding, offersFor, seedAccounts, topUpOffers } from './seed.js';
import type { Build } from './services.js';

// Rates under load, and what one operation costs. All scenarios of a build share one database and one API.

/** Node.js compiles what is called often. Before that, a make-offer at one connection costs a fifth more. */
const WARM_UP = { connections: 64, share: 4 };

interface LoadKind {
  readonly kind: 'make' | 'make-keyed' | 'accept' | 'mixed';
  readonly connections: number;
}

const ledgers = new WeakMap<Build, Promise<Target>>();

/** Ten accounts on an API that is warm. */
export function ledgerOf(bench: Bench, build: Build): Promise<Target> {
  const known = ledgers.get(build) ?? openLedger(bench, build);
  ledgers.set(build, known);
  return known;
}

async function openLedger({ options }: Bench, build: Build): Promise<Target> {
  const database = await build.createDatabase('loads');
  const accounts = await seedAccounts(database);
  await topUpOffers(database, ACCOUNTS, offersFor(options.seconds));
  const target = { database, accounts, api: await build.startApi(database) };
  await runLoad(planFor(options, target.api, { ...WARM_UP, workload: { kind: 'mixed', accounts } }));
  return target;
}

const loadScenario = (name: string, load: LoadKind, lean?: 'make' | 'accept'): Scenario => ({
  name: `${name}-${load.connections}`,
  async prepare(bench, build) {
    const target = await ledgerOf(bench, build);
    return { measure: () => measureLoad(bench, target, load), close: async () => undefined };
  },
  ...(lean && { ceiling: (ceiling) => ceiling.rateOf(lean) }),
});

export const LOAD_SCENARIOS: readonly Scenario[] = [
  loadScenario('make-offer', { kind: 'make', connections: 1 }),
  loadScenario('make-offer', { kind: 'make', connections: 64 }, 'make'),
  loadScenario('make-offer', { kind: 'make', connections: 256 }, 'make'),
  loadScenario('make-keyed', { kind: 'make-keyed', connections: 64 }),
  loadScenario('accept-offer', { kind: 'accept', connections: 64 }, 'accept'),
  loadScenario('mixed', { kind: 'mixed', connections: 64 }),
];

async function measureLoad(bench: Bench, target: Target, { kind, connections }: LoadKind): Promise<Figures> {
  const { options, services } = bench;
  const { database, accounts, api } = target;
  if (kind === 'accept' || kind === 'mixed') await topUpOffers(database, ACCOUNTS, offersFor(options.seconds));
  await finishSeeding(database);
  const run = (of: LoadKind['kind'], share: number) =>
    runLoad(planFor(options, api, { connections, share, workload: { kind: of, accounts } }));
  const plain = kind === 'make-keyed' ? [await run('make', 0.5)] : [];
  const before = [cpuMs(api.pid), cpuMs(services.postgresPid)];
  const result = await run(kind, 1);
  const after = [cpuMs(api.pid), cpuMs(services.postgresPid)];
  const [ofApi, ofPostgres] = after.map((now = NaN, index) => ((now - (before[index] ?? NaN)) * 1_000) / result.done);
  if (kind === 'make-keyed') plain.push(await run('make', 0.5));
  return known({
    [RATE]: result.rate,
    'p50 ms': result.p50Ms,
    'p99 ms': result.p99Ms,
    'API µs': ofApi,
    'PostgreSQL µs': ofPostgres,
    'API MB': peakMb(api.pid),
    'over make-offer': (result.rate * plain.length) / sumOf(plain),
  });
}

const sumOf = (results: readonly LoadResult[]) => results.reduce((sum, { rate }) => sum + rate, 0);
