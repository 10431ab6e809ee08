import { whole } from '#tools/shared/command-line.js';
import { type Bench, runLoad } from './bench.js';
import { createCeilingFunctions, measureCeiling } from './ceiling.js';
import type { BenchDatabase } from './database.js';
import { ratioText } from './format-numbers.js';
import { type GoalName, goalOf } from './goals.js';
import type { LoadAccount, LoadResult, Workload } from './load/plan.js';
import { firstAndLast, mean, recordGrowth } from './record-figures.js';
import { describeFaults, type GrowthPoint } from './report.js';
import { finishSeeding, inBulk, seedAccounts, seedEmptyPositions, seedOffers } from './seed.js';
import { USERS, usersOf, WAGERS } from './seeded-data.js';
import type { Server } from './services.js';

const ROUNDS = 4;
const USER_CONNECTIONS = 8;
const DATABASE_CONNECTIONS = 64;

/** Users of an account with the same number of open offers each. */
export interface UserGroup {
  readonly users: { readonly from: number; readonly count: number };
  readonly offers: number;
}

/** make-offer by users with one open offer, with some, and with very many. */
export async function measureUser(
  bench: Bench,
  port: number,
  account: LoadAccount,
  groups: readonly UserGroup[],
): Promise<void> {
  const sides = groups.map(({ users, offers: size }): Side => {
    const accounts = [usersOf(account, users.from, users.count)];
    return { size, port, workload: { kind: 'make', choice: 'own', accounts } };
  });
  const points = await inTurns(bench, sides, USER_CONNECTIONS);
  recordMake(bench, { scenario: 'growth-user', sizeOf: 'open offers of a user', points, goal: 'growthUser' });
}

/** The accounts of every grown database; the first has the bets. */
export const GROWN_ACCOUNTS = 5;

export interface GrownDatabase {
  readonly database: BenchDatabase;
  readonly account: LoadAccount;
  readonly bets: number;
}

/** The size of the middle database, as a share of the large one. */
const MIDDLE_SHARE = 0.1;

/** make-offer in an empty database and in fuller ones, by APIs that have just been started. */
export async function measureDatabase(bench: Bench, grown: GrownDatabase): Promise<void> {
  const empty = await seedDatabase(bench, 'nearly_empty', 0);
  const middle = await seedDatabase(bench, 'middling', grown.bets * MIDDLE_SHARE);
  const apis: Server[] = [];
  const sides: Side[] = [];
  for (const { database, account, bets: size } of [empty, middle, grown]) {
    const api = await bench.services.startApi(database);
    apis.push(api);
    sides.push({ size, port: api.port, workload: { kind: 'make', accounts: [account] } });
  }
  const connections = DATABASE_CONNECTIONS;
  for (const { port, workload } of sides) await runLoad(bench, { port, workload, connections });
  const points = await inTurns(bench, sides, connections);
  for (const api of apis) await api.stop();
  const note = await compareCeilings(bench, empty, grown);
  recordMake(bench, {
    scenario: 'growth-database',
    sizeOf: 'bets in the database',
    points,
    note,
    goal: 'growthDatabase',
  });
}

/** Seeds every possible position, so that an offer changes the same rows at any number of bets. */
async function seedDatabase({ services }: Bench, name: string, bets: number): Promise<GrownDatabase> {
  const database = await services.createDatabase(name);
  const [account] = await seedAccounts(database, GROWN_ACCOUNTS);
  if (account === undefined) throw new Error('There is no account.');
  await createCeilingFunctions(database);
  await seedEmptyPositions(database, 1);
  if (bets > 0) {
    const [users, wagers] = [
      { from: 1, count: USERS },
      { from: 1, count: WAGERS },
    ];
    await inBulk(database, ['bets', 'bet_trails', 'positions'], () =>
      seedOffers(database, { account: 1, users, wagers, offers: bets }),
    );
  }
  await finishSeeding(database);
  return { database, account, bets };
}

async function compareCeilings({ options }: Bench, empty: GrownDatabase, grown: GrownDatabase): Promise<string> {
  const common = { name: 'make', seconds: options.seconds / 2, accounts: 1 } as const;
  const small = await measureCeiling({ ...common, database: empty.database });
  const large = await measureCeiling({ ...common, database: grown.database });
  const rates = `ceilings ${whole(small.rate)} and ${whole(large.rate)} (${small.drivenBy})`;
  return `${rates}: ${ratioText(large.rate / small.rate)}`;
}

interface Side {
  readonly size: number;
  readonly port: number;
  readonly workload: Workload;
}

interface MakePoint extends GrowthPoint {
  readonly rate: number;
  readonly faults: string;
  readonly complaints: readonly string[];
}

async function inTurns(bench: Bench, sides: readonly Side[], connections: number): Promise<MakePoint[]> {
  const seconds = Math.max(0.5, bench.options.seconds / ROUNDS);
  const contest = sides.map((side) => ({ ...side, results: [] as LoadResult[] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    // The order alternates: the state of the machine drifts within a round.
    for (const { port, workload, results } of round % 2 === 0 ? contest : contest.toReversed()) {
      results.push(await runLoad(bench, { port, workload, connections, seconds }));
    }
  }
  return contest.map(({ size, results }) => ({
    size,
    rate: mean(results.map(({ all }) => all.rate)),
    p50Ms: mean(results.map(({ all }) => all.p50Ms)),
    p99Ms: mean(results.map(({ all }) => all.p99Ms)),
    faults: results.map(({ all }) => describeFaults(all.answers)).find((text) => text !== '') ?? '',
    complaints: [...new Set(results.flatMap(({ complaints }) => complaints))],
  }));
}

interface MakeFigures {
  readonly scenario: string;
  readonly sizeOf: string;
  readonly points: readonly MakePoint[];
  readonly note?: string;
  readonly goal: GoalName;
}

function recordMake(bench: Bench, { scenario, sizeOf, points, note = '', goal }: MakeFigures): void {
  const [small, large] = firstAndLast(points, ({ rate }) => rate);
  const ratio = large / small;
  const faults = points.map((point) => point.faults).find((text) => text !== '') ?? '';
  recordGrowth(bench, {
    ...{ scenario, subject: 'make-offer', sizeOf, unit: 'ops/s', small, large, ratio },
    points: points.map(({ size, rate, p50Ms, p99Ms }) => ({ size, rate, p50Ms, p99Ms })),
    note: [note, faults].filter((text) => text !== '').join('; '),
    complaints: points.flatMap(({ complaints }) => complaints),
    goals: [goalOf(goal, ratio)],
  });
}
