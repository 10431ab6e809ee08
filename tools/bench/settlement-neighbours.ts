import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Bench, runLoad, type Target } from './bench.js';
import { withClient } from './database.js';
import { type Decision, decideAndSettle, decisionOf } from './decisions.js';
import { type GoalName, goalOf } from './goals.js';
import type { LoadAccount, LoadFigures, LoadResult } from './load/plan.js';
import { mean, recordComparison } from './record-figures.js';
import { describeFaults } from './report.js';
import { finishSeeding } from './seed.js';
import { firstUserId, USERS, usersOf } from './seeded-data.js';
import { seedWagers } from './settlement-seed.js';

// The effect of a large settlement on other accounts: first one makes offers at an even pace, then another decides small
// wagers. They run apart, because the bets that a decision settles itself always slow down offers. Then users of the
// settling account make offers beside a settlement of their own: first those who have no bet in it, then those who have.

const MAKER = 6;
const DECIDER = 7;

const CONNECTIONS = 16;
const OFFERS_A_SECOND = 200;
const WARM_UP_MS = 500;
/** Above the real rate by half, so that the settlement outlasts the offers and the small wagers. */
const BETS_A_SECOND = 20_000;
const MIN_SECONDS = 0.5;

/** In the settling account: the first users have the bets that settle, the others none of them. */
const SETTLING_USERS = USERS / 2;
export const settlingUsers = (account: number) => ({ firstId: firstUserId(account), count: SETTLING_USERS });

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
  await finishSeeding(target.database);
  const maker = accountOf(target, MAKER);
  await makeOffers(bench, target, maker); // warms up the API
  const before = await makeOffers(bench, target, maker);
  const { url } = target.database;
  let isSettling = true;
  const settling = withClient(url, (client) => decideAndSettle(large, client)).finally(() => {
    isSettling = false;
  });
  const beside = async () => {
    const busy = await makeOffers(bench, target, maker);
    return { busy, smallMs: await withClient(url, (client) => decideSmallWagers(target, client, () => isSettling)) };
  };
  const [tookMs, { busy, smallMs }] = await Promise.all([settling, beside()]);
  await finishSeeding(target.database);
  recordOffers(bench, ELSEWHERE, { idle: [before, await makeOffers(bench, target, maker)], busy, tookMs });
  recordSmallWagers(bench, smallMs);
}

/** Offers of both kinds of users of the settling account, one kind after the other. */
export async function measureOwnAccount(bench: Bench, target: Target, large: Decision): Promise<void> {
  const account = accountOf(target, large.accountId);
  const users = [usersOf(account, SETTLING_USERS + 1, USERS - SETTLING_USERS), usersOf(account, 1, SETTLING_USERS)];
  const makeAll = async () => {
    const results: LoadResult[] = [];
    for (const some of users) results.push(await makeOffers(bench, target, some, 1 / users.length));
    return results;
  };
  await finishSeeding(target.database);
  const before = await makeAll();
  const settling = withClient(target.database.url, (client) => decideAndSettle(large, client));
  const [tookMs, busy] = await Promise.all([settling, makeAll()]);
  await finishSeeding(target.database);
  const after = await makeAll();
  for (const [index, kind] of OWN.entries()) {
    const [first, during, last] = [before, busy, after].map((results) => results[index]);
    if (first === undefined || during === undefined || last === undefined) continue;
    recordOffers(bench, kind, { idle: [first, last], busy: during, tookMs });
  }
}

function accountOf({ accounts }: Target, number: number): LoadAccount {
  const account = accounts[number - 1];
  if (account === undefined) throw new Error(`There is no account ${number}.`);
  return account;
}

/** `share`: of the time that a settlement lasts. */
async function makeOffers(bench: Bench, { api }: Target, maker: LoadAccount, share = 1): Promise<LoadResult> {
  const isWarm = share < 1;
  return runLoad(bench, {
    port: api.port,
    connections: CONNECTIONS,
    pacePerSecond: OFFERS_A_SECOND,
    // Offers may wait for as long as a chunk lasts: all of them must count.
    warmUpMs: isWarm ? 0 : WARM_UP_MS,
    seconds: Math.max(MIN_SECONDS, (bench.options.bets / BETS_A_SECOND) * share),
    workload: { kind: 'make', accounts: [maker] },
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

/** Whose offers, as the figures say it, and their goal. */
interface OfferKind {
  readonly whose: string;
  readonly goal: GoalName;
  /** The goal is the ratio to the p99 at rest, not the p99 itself. */
  readonly isRatio: boolean;
}

const ELSEWHERE: OfferKind = { whose: 'elsewhere', goal: 'besideOffers', isRatio: true };
/** In the order in which they are measured. */
const OWN: readonly OfferKind[] = [
  { whose: 'of other users of the account', goal: 'besideOwnOthers', isRatio: true },
  { whose: 'of the users whose bets settle', goal: 'besideOwnUsers', isRatio: false },
];

function recordOffers(bench: Bench, { whose, goal, isRatio }: OfferKind, { idle, busy, tookMs }: Offers): void {
  if ([...idle, busy].some(({ all }) => Object.keys(all.answers).length === 0)) {
    bench.print(`settlement-beside: make-offer ${whose} had no answers in the measured time.`);
    return;
  }
  const idleP99Ms = mean(idle.map(({ all }) => all.p99Ms));
  const ratio = busy.all.p99Ms / idleP99Ms;
  const faults = [...idle, busy].map(({ all }) => describeFaults(all.answers)).find((text) => text !== '') ?? '';
  const listed = (pick: (figures: LoadFigures) => number) => idle.map(({ all }) => pick(all).toFixed(1)).join(' and ');
  const atRest = `at rest ${listed((all) => all.p99Ms)}`;
  const slowest = `slowest ${busy.all.maxMs.toFixed(1)}, at rest ${listed((all) => all.maxMs)}`;
  const medians = `medians ${busy.all.p50Ms.toFixed(1)}, at rest ${listed((all) => all.p50Ms)}`;
  const settled = `settled in ${(tookMs / 1_000).toFixed(2)} s`;
  recordComparison(bench, {
    scenario: 'settlement-beside',
    what: `make-offer ${whose}, p99, and at rest`,
    ...{ unit: 'ms', value: busy.all.p99Ms, beside: idleP99Ms, ratio },
    note: [`${OFFERS_A_SECOND}/s`, atRest, slowest, medians, settled, faults].filter((text) => text !== '').join('; '),
    complaints: [...idle, busy].flatMap(({ complaints }) => complaints),
    goals: [goalOf(goal, isRatio ? ratio : busy.all.p99Ms)],
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
