import { type Bench, isWanted, type Target } from './bench.js';
import { createCeilingFunctions, createLeanTables } from './ceiling.js';
import { type BenchDatabase, withClient } from './database.js';
import { decideAndSettle, decisionOf } from './decisions.js';
import { type GoalName, goalOf } from './goals.js';
import { ProcessMeter } from './process-meter.js';
import { mean, recordComparison } from './record-figures.js';
import { printComparisonHead } from './report.js';
import { finishSeeding, seedAccounts, vacuumAndCheckpoint } from './seed.js';
import { USERS } from './seeded-data.js';
import { measureNeighbours, measureOwnAccount, settlingUsers } from './settlement-neighbours.js';
import { seedWagers } from './settlement-seed.js';

// Large wagers, one per account: settled by the ceiling, by the API and its worker, and by these while other accounts
// work.

const SETTLEMENT = ['settlement', 'settlement-beside'];

/** The account of each large wager. */
const CEILING_BEFORE = 1;
const OURS = 2;
const CEILING_AFTER = 3;
const WARM_UP = 4;
const BESIDE = 5;
/** The other users of its account also make offers. */
const BESIDE_OWN = 8;
const LARGE = 'large';

/** Node.js compiles during the first chunks of the worker. */
const WARM_UP_SHARE = 0.1;

export async function measureSettlement(bench: Bench): Promise<void> {
  const { options, services } = bench;
  const [alone, beside] = SETTLEMENT.map((name) => isWanted(options, name));
  if (!alone && !beside) return;
  const database = await services.createDatabase('settlement');
  const accounts = await seedAccounts(database);
  const lean = alone ? await seedLean(bench) : undefined;
  const decided = [...(alone ? [CEILING_BEFORE, OURS, CEILING_AFTER] : []), ...(beside ? [BESIDE] : [])];
  await createCeilingFunctions(database);
  const large = { wagers: 1, name: LARGE };
  for (const account of decided) await seedWagers(database, { ...large, account, bets: options.bets });
  if (beside) {
    const users = settlingUsers(BESIDE_OWN);
    await seedWagers(database, { ...large, account: BESIDE_OWN, bets: options.bets, users });
  }
  await seedWagers(database, { ...large, account: WARM_UP, bets: Math.round(options.bets * WARM_UP_SHARE) });
  const [api, worker] = [await services.startApi(database), await services.startWorker(database)];
  const meter = new ProcessMeter(worker.pid);
  const target = { database, accounts, api };
  printComparisonHead(bench.print);
  await settleLarge(target, WARM_UP);
  const memory: number[] = [];
  if (lean !== undefined) {
    await measureAlone(bench, { ...target, lean }, () => memory.push(meter.memoryMb() ?? Number.NaN));
  }
  if (beside) {
    await measureNeighbours(bench, target, decisionOf(target, BESIDE, `${LARGE}1`));
    await measureOwnAccount(bench, target, decisionOf(target, BESIDE_OWN, `${LARGE}1`));
  }
  meter.stop();
  recordWorkerMemory(bench, meter, memory);
  for (const part of [api, worker]) await part.stop();
}

/** The lean tables, with two wagers as large as the others. */
async function seedLean({ options, services }: Bench): Promise<BenchDatabase> {
  const lean = await services.createBareDatabase('lean_settlement');
  await createLeanTables(lean);
  for (const account of [CEILING_BEFORE, CEILING_AFTER]) {
    await lean.query('SELECT lean_seed_large($1, $2, $3, $4)', [account, `${LARGE}1`, USERS, options.bets]);
  }
  return lean;
}

/** Measures the API and its worker between two ceilings of each kind. */
async function measureAlone(
  bench: Bench,
  target: Target & { readonly lean: BenchDatabase },
  onPoll: () => void,
): Promise<void> {
  const { bets } = bench.options;
  const settleBoth = async (account: number) => ({
    own: await settleAtOnce(target.database, 'bench_settle', account),
    lean: await settleAtOnce(target.lean, 'lean_settle', account),
  });
  const before = await settleBoth(CEILING_BEFORE);
  const tookMs = await settleLarge(target, OURS, onPoll);
  const after = await settleBoth(CEILING_AFTER);
  const rateOf = (timeMs: number) => (bets * 1_000) / timeMs;
  const value = rateOf(tookMs);
  const compare = (kind: 'own' | 'lean', goal: GoalName, beside: string) => {
    const ceiling = (rateOf(before[kind]) + rateOf(after[kind])) / 2;
    const seconds = [tookMs, before[kind], after[kind]].map((timeMs) => (timeMs / 1_000).toFixed(2));
    recordComparison(bench, {
      scenario: 'settlement',
      what: `a wager of ${bets.toLocaleString('en-US')} bets${beside}`,
      ...{ unit: 'bets/s', value, beside: ceiling, ratio: value / ceiling, complaints: [] },
      note: `${seconds[0]} s; ceilings ${seconds[1]} and ${seconds[2]} s`,
      goals: [goalOf(goal, value / ceiling)],
    });
  };
  compare('own', 'settlement', '');
  compare('lean', 'settlementLean', ', beside the lean ceiling');
}

/** Settles by a ceiling; returns the time. */
async function settleAtOnce(
  database: BenchDatabase,
  ceiling: 'bench_settle' | 'lean_settle',
  account: number,
): Promise<number> {
  await vacuumAndCheckpoint(database);
  return withClient(database.url, async (client) => {
    const since = performance.now();
    await client.query(`SELECT ${ceiling}($1, $2)`, [account, `${LARGE}1`]);
    return performance.now() - since;
  });
}

/** Settles by the API and its worker; returns the time. */
async function settleLarge(target: Target, account: number, onPoll?: () => void): Promise<number> {
  await finishSeeding(target.database);
  const decision = decisionOf(target, account, `${LARGE}1`);
  return withClient(target.database.url, (client) => decideAndSettle(decision, client, onPoll));
}

/** `memory`: samples during the settlement that had no other load. */
function recordWorkerMemory(bench: Bench, { startMb, peakMb }: ProcessMeter, memory: readonly number[]): void {
  if (startMb === undefined || peakMb === undefined) return;
  const third = Math.floor(memory.length / 3);
  const [middle, last] = [mean(memory.slice(third, 2 * third)), mean(memory.slice(2 * third))];
  const peakGoal = goalOf('workerMemory', peakMb);
  recordComparison(bench, {
    scenario: 'settlement',
    what: "the worker's memory, peak and at the start",
    ...{ unit: 'MB', value: peakMb, beside: startMb, complaints: [] },
    note: third === 0 ? '' : `middle third ${middle.toFixed(0)}, last third ${last.toFixed(0)}`,
    goals: third === 0 ? [peakGoal] : [peakGoal, goalOf('workerMemoryFlat', last / middle)],
  });
}
