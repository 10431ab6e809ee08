import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { createHousekeeping } from '#apps/worker/housekeeping.js';
import { addAuditMetrics } from '#audit/audit-metrics.js';
import { createDailyAudit } from '#audit/daily-audit.js';
import { RESTING_A_NIGHT } from '#audit/nightly-groups.js';
import { createExportFiles } from '#exports/export-files.js';
import { addBacklogMetrics } from '#jobs/metrics/backlog-metrics.js';
import { claimLeftEntries } from '#jobs/outbox.js';
import { DAY_MS, HOUR_MS } from '#platform/config/time-units.js';
import { type Database, openDatabase } from '#platform/database/database.js';
import { createMetrics } from '#platform/metrics/metrics.js';
import { seedSettledBets } from './audit-seed.js';
import { type Bench, isWanted } from './bench.js';
import type { BenchDatabase } from './database.js';
import { recordGrowth } from './record-figures.js';
import { printGrowthHead } from './report.js';
import { finishSeeding, inBulk, seedAccounts } from './seed.js';
import { ACCOUNTS, WAGERS } from './seeded-data.js';

// The work that no caller asks for, with few accounts and with many. The first account has half of all bets and is in use;
// the others have the other half, and are at rest.

const SCENARIO = 'tenants';
/** In the middle, a night audits every account, as with few; with more it audits as many. */
const SIZES = [ACCOUNTS, RESTING_A_NIGHT, 1_000] as const;
/** So many times the bets of a large wager. */
const WAGERS_OF_BETS = 2;
/** A day adds this share of all bets, to the account in use. */
const DAY_SHARE = 0.01;
const DAY_WAGERS = 5;
/** Of each account. */
const USERS_EACH = 50;
const ROUNDS = 30;
const STARTS = 3;
/** So many nights; each audits other accounts at rest. */
const NIGHTS = 3;

type Samples = Readonly<Record<string, readonly number[]>>;

/** Only when asked for by its name: its figures stand in docs/scaling.md. */
export async function measureTenants(bench: Bench): Promise<void> {
  if (bench.options.only.length === 0 || !isWanted(bench.options, SCENARIO)) return;
  const measured: [number, Samples][] = [];
  for (const accounts of SIZES) measured.push([accounts, await measureSize(bench, accounts)]);
  printGrowthHead(bench.print);
  for (const subject of Object.keys(measured[0]?.[1] ?? {})) {
    const points = measured.map(([size, samples]) => pointOf(size, samples[subject] ?? []));
    const [small, large] = [points.at(0)?.p50Ms ?? 0, points.at(-1)?.p50Ms ?? 0];
    const row = { scenario: SCENARIO, subject, sizeOf: 'accounts', points, unit: 'ms', small, large } as const;
    const note = points.map(({ size, p50Ms }) => `${size}: ${p50Ms.toFixed(1)}`).join(', ');
    recordGrowth(bench, { ...row, ratio: large / small, note, complaints: [], goals: [] });
  }
}

function pointOf(size: number, samples: readonly number[]) {
  const sorted = [...samples].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { size, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function measureSize(bench: Bench, accounts: number): Promise<Samples> {
  const bets = bench.options.bets * WAGERS_OF_BETS;
  bench.print(`Seeding ${accounts} accounts with ${bets.toLocaleString('en-US')} bets …`);
  const database = await bench.services.createDatabase(`tenants_${accounts}`);
  await inBulk(database, ['users', 'bets', 'bet_trails', 'transactions', 'positions'], () =>
    seedPast(database, accounts, bets),
  );
  await finishSeeding(database);
  const own = openDatabase({
    url: database.url,
    connections: 2,
    deadlineMs: HOUR_MS,
    onConnectionError: () => undefined,
  });
  try {
    return {
      'nightly audit': await measureNights(own, database, bets),
      'sweep of the outbox': await repeat(ROUNDS, () =>
        claimLeftEntries(own, { limit: 500, unrelayedForMs: 2_000, relayedForMs: 30_000 }),
      ),
      housekeeping: await measureHousekeeping(own),
      "scrape of a worker's metrics": await measureScrapes(own),
      'start of the API': await measureStarts(() => bench.services.startApi(database)),
      'start of a worker': await measureStarts(() => bench.services.startWorker(database)),
    };
  } finally {
    await own.$disconnect();
    await database.close();
  }
}

async function seedPast(database: BenchDatabase, accounts: number, bets: number): Promise<void> {
  await seedAccounts(database, accounts, USERS_EACH);
  const wagers = { from: 1, count: WAGERS - DAY_WAGERS * NIGHTS };
  const others = Math.floor(bets / 2 / (accounts - 1));
  for (let account = 1; account <= accounts; account += 1) {
    const own = account === 1 ? bets / 2 : others;
    await seedSettledBets(database, { account, bets: own, wagers, age: '2 days', users: USERS_EACH });
  }
}

/** The first night closes all accounts, and is not counted. */
async function measureNights(own: Database, database: BenchDatabase, bets: number): Promise<number[]> {
  const times: number[] = [];
  for (let night = 0; night <= NIGHTS; night += 1) {
    if (night > 0) {
      const wagers = { from: WAGERS - DAY_WAGERS * night + 1, count: DAY_WAGERS };
      await seedSettledBets(database, { account: 1, bets: bets * DAY_SHARE, wagers, age: '0 days', users: USERS_EACH });
      await finishSeeding(database);
    }
    const now = () => new Date(Date.now() + (night + 1) * DAY_MS);
    const { tookMs } = await createDailyAudit({ database: own, logger: pino({ enabled: false }), now })();
    if (night > 0) times.push(tookMs);
  }
  return times;
}

function measureHousekeeping(own: Database): Promise<number[]> {
  const { signal } = new AbortController();
  const files = createExportFiles(path.join(os.tmpdir(), 'ledger-bench-exports'));
  const quiet = { logger: pino({ enabled: false }), observe: () => undefined, signal };
  return repeat(ROUNDS, createHousekeeping({ database: own, files, ...quiet }));
}

async function measureScrapes(own: Database): Promise<number[]> {
  const metrics = createMetrics();
  const reads = { run: <Result>(read: (database: Database) => Promise<Result>) => read(own) };
  addBacklogMetrics(metrics, reads);
  addAuditMetrics(metrics, reads);
  const times = await repeat(ROUNDS, () => metrics.scrape());
  metrics.close();
  return times;
}

const measureStarts = (start: () => Promise<{ stop(): Promise<void> }>): Promise<number[]> => {
  let running: { stop(): Promise<void> } | undefined;
  const begin = async () => {
    running = await start();
  };
  return repeat(STARTS, begin, () => running?.stop());
};

/** The times of some runs. What follows a run is not measured. */
async function repeat(
  runs: number,
  work: () => Promise<unknown>,
  afterwards: () => Promise<unknown> | undefined = () => undefined,
): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
    await afterwards();
  }
  return times;
}
