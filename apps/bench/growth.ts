import { type Bench, isWanted, runLoad, type Stage } from './bench.js';
import { measureCeiling } from './ceiling.js';
import { CEILING_FUNCTIONS } from './ceiling-functions.js';
import { measureLists } from './growth-lists.js';
import { noteGrowth, noteLatencies } from './growth-notes.js';
import type { LoadAccount, LoadResult, Workload } from './load/plan.js';
import { describeFaults, printGrowthHead } from './report.js';
import { inBulk, seedEmptyPositions, seedOffers, seedTransactions, seedWorld, settle } from './seed.js';
import type { Server } from './services.js';
import { usersOf } from './world.js';

// The same work on little and on much. Small and large are measured in turns, so that whatever else the machine does
// meets both.

export const GROWTH = ['growth-user', 'growth-database', 'growth-book', 'growth-lists'];

/** Who is in the grown database. */
const LARGE = 1;
const SMALL = 2;
const HEAVY = 3;
const BOOKS = 4;
const GROWN_ACCOUNTS = 4;

const HEAVY_USERS = 8;
const SMALL_ROWS = 10_000;
const SMALL_BOOK = 10;
const ROUNDS = 4;
const DATABASE_CONNECTIONS = 64;

export async function measureGrowth(bench: Bench): Promise<void> {
  const wants = (name: string) => isWanted(bench.options, name);
  if (!GROWTH.some(wants)) return;
  printGrowthHead(bench.print);
  const rows = bench.options.quick ? 100_000 : 1_000_000;
  const stage = await growDatabase(bench, rows);
  const { world, api } = stage;
  const [large, small, heavy, books] = [LARGE, SMALL, HEAVY, BOOKS].map((number) => world.accounts[number - 1]);
  if (large === undefined || small === undefined || heavy === undefined || books === undefined) return;
  if (wants('growth-lists')) {
    await measureLists(bench, { port: api.port, large, small, largeRows: rows, smallRows: SMALL_ROWS });
  }
  if (wants('growth-user')) await measureUser(bench, stage, heavy);
  if (wants('growth-book')) await measureBook(bench, stage, books);
  await api.stop();
  if (wants('growth-database')) await measureDatabase(bench, stage, rows);
}

async function growDatabase({ services, options }: Bench, rows: number): Promise<Stage> {
  const database = await services.createDatabase('grown');
  const world = await seedWorld(database, GROWN_ACCOUNTS);
  await database.query(CEILING_FUNCTIONS);
  const allUsers = { from: 1, count: 1_000 };
  const allWagers = { from: 1, count: 100 };
  const heavyOffers = options.quick ? SMALL_ROWS / 10 : SMALL_ROWS;
  await inBulk(database, ['bets', 'bet_trails', 'transactions', 'positions'], async () => {
    const offers = { users: allUsers, wagers: allWagers };
    await seedOffers(database, { ...offers, account: LARGE, offers: rows });
    await seedOffers(database, { ...offers, account: SMALL, offers: SMALL_ROWS });
    const heavyUsers = { from: 1, count: HEAVY_USERS };
    await seedOffers(database, { ...offers, users: heavyUsers, account: HEAVY, offers: heavyOffers * HEAVY_USERS });
    const lightUsers = { from: HEAVY_USERS + 1, count: 1_000 - HEAVY_USERS };
    await seedOffers(database, { ...offers, users: lightUsers, account: HEAVY, offers: lightUsers.count });
    const makers = { from: 1, count: 500 };
    await seedOffers(database, { account: BOOKS, users: makers, wagers: { from: 1, count: 1 }, offers: SMALL_BOOK });
    await seedOffers(database, { account: BOOKS, users: makers, wagers: { from: 2, count: 1 }, offers: SMALL_ROWS });
    await seedTransactions(database, LARGE, rows - 1_000); // each user has one already
    await seedTransactions(database, SMALL, SMALL_ROWS - 1_000);
  });
  await settle(database);
  return { database, world, api: await services.startApi(database) };
}

/** make-offer for users with one open offer, and with very many. */
async function measureUser(bench: Bench, { api }: Stage, account: LoadAccount): Promise<void> {
  const make = (users: LoadAccount): Workload => ({ kind: 'make', choice: 'own', accounts: [users] });
  const side = (users: LoadAccount) => ({ port: api.port, workload: make(users) });
  const light = side(usersOf(account, HEAVY_USERS + 1, 1_000 - HEAVY_USERS));
  const heavy = side(usersOf(account, 1, HEAVY_USERS));
  const { small, large } = await inTurns(bench, { small: light, large: heavy, connections: HEAVY_USERS });
  const ratio = large.rate / small.rate;
  noteGrowth(bench, {
    scenario: 'growth-user',
    what: `make: 1 -> ${bench.options.quick ? '1,000' : '10,000'} open offers`,
    ...{ unit: 'ops/s', small: small.rate, large: large.rate, ratio, note: small.faults || large.faults },
    complaints: [...small.complaints, ...large.complaints],
    goals: [{ of: 'ratio', value: ratio, atLeast: 0.9 }],
  });
}

/** make-offer in an empty database, and in a large account of a large one; by two APIs that have just been started. */
async function measureDatabase(bench: Bench, { database, world }: Stage, rows: number): Promise<void> {
  const emptyDatabase = await bench.services.createDatabase('nearly_empty');
  const emptyWorld = await seedWorld(emptyDatabase, GROWN_ACCOUNTS);
  await emptyDatabase.query(CEILING_FUNCTIONS);
  await seedEmptyPositions(emptyDatabase, LARGE); // as in the other: an offer then changes the same rows in both
  await settle(emptyDatabase);
  const apis = [await bench.services.startApi(emptyDatabase), await bench.services.startApi(database)];
  const side = (api: Server | undefined, [first]: readonly LoadAccount[]): Side => {
    return { port: api?.port ?? 0, workload: { kind: 'make', accounts: first === undefined ? [] : [first] } };
  };
  const sides = { small: side(apis[0], emptyWorld.accounts), large: side(apis[1], world.accounts) };
  const connections = DATABASE_CONNECTIONS;
  for (const one of Object.values(sides)) await runLoad(bench, { ...one, connections });
  const { small, large } = await inTurns(bench, { ...sides, connections });
  const seconds = bench.options.seconds / 2;
  const smallCeiling = await measureCeiling({ database: emptyDatabase, name: 'make', seconds, accounts: 1 });
  const largeCeiling = await measureCeiling({ database, name: 'make', seconds, accounts: 1 });
  const ratio = large.rate / small.rate;
  const ceilings = `ceilings ${Math.round(smallCeiling.rate)} and ${Math.round(largeCeiling.rate)} (${smallCeiling.drivenBy}): ${(largeCeiling.rate / smallCeiling.rate).toFixed(2)}`;
  noteGrowth(bench, {
    scenario: 'growth-database',
    what: `make: 0 -> ${rows.toLocaleString('en-US')} bets`,
    ...{ unit: 'ops/s', small: small.rate, large: large.rate, ratio },
    note: [ceilings, small.faults || large.faults].filter((text) => text !== '').join('; '),
    complaints: [...small.complaints, ...large.complaints],
    goals: [{ of: 'ratio', value: ratio, atLeast: 0.8 }],
  });
  for (const api of apis) await api.stop();
}

/** accept-offer against a short and a long book: what is taken is put back, so that both stay as long as they are. */
async function measureBook(bench: Bench, { api }: Stage, { authorization, firstUserId }: LoadAccount): Promise<void> {
  const refillAndTake = (wager: string, size: string) => {
    const offer = {
      wager_reference: wager,
      requesting_odds: 1.5,
      requesting_amount: 10,
      requesting_user_id: firstUserId,
    };
    const take = {
      wager_reference: wager,
      maximum_odds: 1_000,
      accepting_amount: 10,
      accepting_user_id: firstUserId + 600,
    };
    const common = { method: 'POST', authorization } as const;
    return [
      { ...common, label: `make ${size}`, path: '/bets/make-offer', body: offer },
      { ...common, label: `accept ${size}`, path: '/bets/accept-offer', body: take },
    ];
  };
  const requests = [...refillAndTake('w1', 'small'), ...refillAndTake('w2', 'large')];
  const result = await runLoad(bench, { port: api.port, connections: 1, workload: { kind: 'cycle', requests } });
  for (const [what, goal] of [
    ['accept', 1.5],
    ['make', undefined],
  ] as const) {
    const [small, large] = [result.byLabel[`${what} small`], result.byLabel[`${what} large`]];
    if (small === undefined || large === undefined) continue;
    noteLatencies(bench, {
      scenario: 'growth-book',
      what: `${what}: book of 10 -> 10,000`,
      small,
      large,
      result,
      goal,
    });
  }
}

interface Side {
  readonly port: number;
  readonly workload: Workload;
}

interface Contest {
  readonly small: Side;
  readonly large: Side;
  readonly connections: number;
}

async function inTurns(bench: Bench, { small, large, connections }: Contest) {
  const seconds = Math.max(0.5, bench.options.seconds / ROUNDS);
  const results: { small: LoadResult[]; large: LoadResult[] } = { small: [], large: [] };
  const sides = [
    { side: small, into: results.small },
    { side: large, into: results.large },
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { side, into } of sides) into.push(await runLoad(bench, { ...side, connections, seconds }));
    sides.reverse(); // who comes second finds the machine a little different
  }
  return { small: summary(results.small), large: summary(results.large) };
}

function summary(results: readonly LoadResult[]) {
  return {
    rate: results.reduce((sum, { all }) => sum + all.rate, 0) / results.length,
    faults: results.map(({ all }) => describeFaults(all.answers)).find((text) => text !== '') ?? '',
    complaints: [...new Set(results.flatMap(({ complaints }) => complaints))],
  };
}
