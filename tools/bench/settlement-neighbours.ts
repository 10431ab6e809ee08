import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Bench, runLoad, type Target } from './bench.js';
import { withClient } from './database.js';
import { type Decision, decideAndSettle, decisionOf } from './decisions.js';
import { goalOf } from './goals.js';
import type { LoadFigures, LoadResult } from './load/plan.js';
import { mean, recordComparison } from './record-figures.js';
import { describeFaults } from './report.js';
import { vacuumAndCheckpoint } from './seed.js';
import { seedWagers } from './settlement-seed.js';

// The effect of a large settlement on other accounts: first one makes offers at an even pace, then another decides small
// wagers. They run apart, because the bets that a decision settles itself always slow down offers.

const MAKER = 6;
const DECIDER = 7;

const CONNECTIONS = 16;
const OFFERS_A_SECOND = 200;
const WARM_UP_MS = 500;
/** Above the real rate by half, so that the settlement outlasts the offers and the small wagers. */
const BETS_A_SECOND = 20_000;
const MIN_SECONDS = 0.5;

/** Small wagers: settled by the decision itself, or, above its bound, by the worker beside the large one. */
const SMALL = [
  { name: 'inline', bets: 20, goal: 'besideInline' },
  { name: 'queued', bets: 600, goal: 'besideQueued' },
] as const;
const SMALL_WAGERS = 5;
const BETWEEN_SMALL_MS = 100;

/** The time of each wager, by the name of its kind. */
type SmallTimes = ReadonlyMap<string, readonly number[]>;

export async function measureNeighbours(bench: Bench, target: Target, large: Decision): Promise<void> {
  for (const { name, bets } of SMALL) {
    await seedWagers(target.database, { account: DECIDER, wagers: SMALL_WAGERS, bets, name });
  }
  await vacuumAndCheckpoint(target.database);
  await makeOffers(bench, target); // warms up the API
  const before = await makeOffers(bench, target);
  const { url } = target.database;
  let isSettling = true;
  const settling = withClient(url, (client) => decideAndSettle(large, client)).finally(() => {
    isSettling = false;
  });
  const beside = async () => {
    const busy = await makeOffers(bench, target);
    return { busy, smallMs: await withClient(url, (client) => decideSmallWagers(target, client, () => isSettling)) };
  };
  const [tookMs, { busy, smallMs }] = await Promise.all([settling, beside()]);
  await vacuumAndCheckpoint(target.database);
  recordMaker(bench, { idle: [before, await makeOffers(bench, target)], busy, tookMs });
  recordSmallWagers(bench, smallMs);
}

async function makeOffers(bench: Bench, { accounts, api }: Target): Promise<LoadResult> {
  const maker = accounts[MAKER - 1];
  return runLoad(bench, {
    port: api.port,
    connections: CONNECTIONS,
    pacePerSecond: OFFERS_A_SECOND,
    warmUpMs: WARM_UP_MS,
    seconds: Math.max(MIN_SECONDS, bench.options.bets / BETS_A_SECOND),
    workload: { kind: 'make', accounts: maker === undefined ? [] : [maker] },
  });
}

/** Decides them one after the other, of each kind in turn, while the large settlement lasts. */
async function decideSmallWagers(target: Target, client: pg.Client, isSettling: () => boolean): Promise<SmallTimes> {
  const times = new Map(SMALL.map(({ name }): [string, number[]] => [name, []]));
  for (let number = 1; number <= SMALL_WAGERS; number += 1) {
    for (const [name, tookMs] of times) {
      if (!isSettling()) return times;
      tookMs.push(await decideAndSettle(decisionOf(target, DECIDER, `${name}${number}`), client));
      await sleep(BETWEEN_SMALL_MS);
    }
  }
  return times;
}

interface Offers {
  /** Before and after, so that other work of the machine affects both. */
  readonly idle: readonly LoadResult[];
  readonly busy: LoadResult;
  /** The time of the large settlement. */
  readonly tookMs: number;
}

function recordMaker(bench: Bench, { idle, busy, tookMs }: Offers): void {
  if ([...idle, busy].some(({ all }) => Object.keys(all.answers).length === 0)) {
    bench.print('settlement-beside: make-offer had no answers in the measured time.');
    return;
  }
  const idleP99Ms = mean(idle.map(({ all }) => all.p99Ms));
  const ratio = busy.all.p99Ms / idleP99Ms;
  const faults = [...idle, busy].map(({ all }) => describeFaults(all.answers)).find((text) => text !== '') ?? '';
  const listed = (pick: (figures: LoadFigures) => number) => idle.map(({ all }) => pick(all).toFixed(1)).join(' and ');
  const atRest = `at rest ${listed((all) => all.p99Ms)}`;
  const medians = `medians ${busy.all.p50Ms.toFixed(1)}, at rest ${listed((all) => all.p50Ms)}`;
  const settled = `settled in ${(tookMs / 1_000).toFixed(2)} s`;
  recordComparison(bench, {
    scenario: 'settlement-beside',
    what: 'make-offer elsewhere, p99, and at rest',
    ...{ unit: 'ms', value: busy.all.p99Ms, beside: idleP99Ms, ratio },
    note: [`${OFFERS_A_SECOND}/s`, atRest, medians, settled, faults].filter((text) => text !== '').join('; '),
    complaints: [...idle, busy].flatMap(({ complaints }) => complaints),
    goals: [goalOf('besideOffers', ratio)],
  });
}

function recordSmallWagers(bench: Bench, times: SmallTimes): void {
  for (const { name, bets, goal } of SMALL) {
    const tookMs = times.get(name) ?? [];
    const slowest = Math.max(...tookMs);
    if (tookMs.length === 0) {
      bench.print(`settlement-beside: the large settlement was over before a wager of ${bets} bets was decided.`);
      continue;
    }
    recordComparison(bench, {
      scenario: 'settlement-beside',
      what: `a wager of ${bets} bets elsewhere, slowest`,
      ...{ unit: 'ms', value: slowest, complaints: [] },
      note: `of ${tookMs.length}`,
      goals: [goalOf(goal, slowest)],
    });
  }
}
