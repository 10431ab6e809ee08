import { type Bench, isWanted, type Target } from './bench.js';
import { createCeilingFunctions } from './ceiling.js';
import { measureBook } from './growth-book.js';
import { measureEvents } from './growth-events.js';
import { measureLists } from './growth-lists.js';
import { GROWN_ACCOUNTS, measureDatabase, measureUser, type UserGroup } from './growth-make.js';
import { measureStatements } from './growth-statements.js';
import type { LoadAccount } from './load/plan.js';
import { printGrowthHead } from './report.js';
import { finishSeeding, inBulk, seedAccounts, seedOffers, seedTransactions } from './seed.js';
import { USERS, WAGERS } from './seeded-data.js';

// The same work at growing sizes. The sizes take turns, so that other work of the machine affects all of them.

export const GROWTH = ['growth-user', 'growth-database', 'growth-book', 'growth-lists'];

/** The accounts of the grown database, after those with lists of several lengths, the longest first. */
const USER_GROUPS = 4;
const BOOKS = 5;
const LIST_SIZES = [1_000_000, 100_000, 10_000];
const QUICK_LIST_SIZES = [100_000, 10_000];

const BOOK_SIZES = [10, 100, 1_000, 10_000];

/** Fewer users where each has more, from the first user on; and all others have one offer. */
const MANY_OFFERS = [
  { users: 8, offers: 10_000 },
  { users: 40, offers: 1_000 },
  { users: 200, offers: 100 },
];
const ALL_WAGERS = { from: 1, count: WAGERS };
const ALL_USERS = { from: 1, count: USERS };
const HALF_OF_THE_USERS = { from: 1, count: USERS / 2 };

export async function measureGrowth(bench: Bench): Promise<void> {
  const wants = (name: string) => isWanted(bench.options, name);
  if (!GROWTH.some(wants)) return;
  printGrowthHead(bench.print);
  const listSizes = bench.options.quick ? QUICK_LIST_SIZES : LIST_SIZES;
  const groups = userGroups(bench.options.quick);
  const { database, accounts, api } = await growDatabase(bench, listSizes, groups);
  const lists = listSizes.map((rows, index) => ({ rows, account: accountOf(accounts, index + 1) }));
  if (wants('growth-lists')) {
    await measureLists(bench, api.port, lists.toReversed());
    await measureStatements(bench, api.port, lists.toReversed());
    await measureEvents(bench, { database, port: api.port }, lists.toReversed());
  }
  if (wants('growth-user')) await measureUser(bench, api.port, accountOf(accounts, USER_GROUPS), groups);
  if (wants('growth-book')) await measureBook(bench, api.port, accountOf(accounts, BOOKS), BOOK_SIZES);
  await api.stop();
  if (wants('growth-database')) {
    const grown = { database, account: accountOf(accounts, 1), bets: Math.max(...listSizes) };
    await measureDatabase(bench, grown);
  }
}

function accountOf(accounts: readonly LoadAccount[], number: number): LoadAccount {
  const account = accounts[number - 1];
  if (account === undefined) throw new Error(`There is no account ${number}.`);
  return account;
}

/** From the smallest number of offers to the largest. */
function userGroups(quick: boolean): UserGroup[] {
  const groups: UserGroup[] = [];
  let from = 1;
  for (const { users: count, offers } of quick ? MANY_OFFERS.slice(1) : MANY_OFFERS) {
    groups.unshift({ users: { from, count }, offers });
    from += count;
  }
  return [{ users: { from, count: USERS + 1 - from }, offers: 1 }, ...groups];
}

async function growDatabase(
  { services }: Bench,
  listSizes: readonly number[],
  groups: readonly UserGroup[],
): Promise<Target> {
  const database = await services.createDatabase('grown');
  const accounts = await seedAccounts(database, GROWN_ACCOUNTS);
  await createCeilingFunctions(database);
  await inBulk(database, ['bets', 'bet_trails', 'transactions', 'positions'], async () => {
    for (const { users, offers } of groups) {
      await seedOffers(database, { account: USER_GROUPS, users, wagers: ALL_WAGERS, offers: offers * users.count });
    }
    for (const [index, offers] of BOOK_SIZES.entries()) {
      const wagers = { from: index + 1, count: 1 };
      await seedOffers(database, { account: BOOKS, users: HALF_OF_THE_USERS, wagers, offers });
    }
    for (const [index, rows] of listSizes.entries()) {
      const account = index + 1;
      await seedOffers(database, { account, users: ALL_USERS, wagers: ALL_WAGERS, offers: rows });
      await seedTransactions(database, account, rows - USERS); // each user has one already
    }
  });
  await finishSeeding(database);
  return { database, accounts, api: await services.startApi(database) };
}
