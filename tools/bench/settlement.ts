import { type Bench, isWanted, type Target } from './bench.js';
import { createCeilingFunctions } from './ceiling.js';
import { withClient } from './database.js';
import { decideAndSettle, decisionOf } from './decisions.js';
import { goalOf } from './goals.js';
import { ProcessMeter } from './process-meter.js';
import { mean, recordComparison } from './record-figures.js';
import { printComparisonHead } from './report.js';
import { seedAccounts, vacuumAndCheckpoint } from './seed.js';
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
  if (alone) await measureAlone(bench, target, () => memory.push(meter.memoryMb() ?? Number.NaN));
  if (beside) {
    await measureNeighbours(bench, target, decisionOf(target, BESIDE, `${LARGE}1`));
    await measureOwnAccount(bench, target, decisionOf(target, BESIDE_OWN, `${LARGE}1`));
  }
  meter.stop();
  recordWorkerMemory(bench, meter, memory);
  for (const part of [api, worker]) await part.stop();
}

/** Measures the API and its worker between two ceilings. */
async function measureAlone(bench: Bench, target: Target, onPoll: () => void): Promise<void> {
  const { bets } = bench.options;
  const before = await settleAtOnce(target, CEILING_BEFORE);
  const tookMs = await settleLarge(target, OURS, onPoll);
  const after = await settleAtOnce(target, CEILING_AFTER);
  const rateOf = (timeMs: number) => (bets * 1_000) / timeMs;
  const ceiling = (rateOf(before) + rateOf(after)) / 2;
  const ratio = rateOf(tookMs) / ceiling;
  const seconds = [tookMs, before, after].map((timeMs) => (timeMs / 1_000).toFixed(2));
  recordComparison(bench, {
    scenario: 'settlement',
    what: `a wager of ${bets.toLocaleString('en-US')} bets`,
    ...{ unit: 'bets/s', value: rateOf(tookMs), beside: ceiling, ratio, complaints: [] },
    note: `${seconds[0]} s; ceilings ${seconds[1]} and ${seconds[2]} s`,
    goals: [goalOf('settlement', ratio)],
  });
}

/** Settles by the ceiling; returns the time. */
async function settleAtOnce({ database }: Target, account: number): Promise<number> {
  await vacuumAndCheckpoint(database);
  return withClient(database.url, async (client) => {
    const since = performance.now();
    await client.query('SELECT bench_settle($1, $2)', [account, `${LARGE}1`]);
    return performance.now() - since;
  });
}

/** Settles by the API and its worker; returns the time. */
async function settleLarge(target: Target, account: number, onPoll?: () => void): Promise<number> {
  await vacuumAndCheckpoint(target.database);
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
