import type { LoadAccount } from './load/plan.js';

/**
 * The data of the benchmark's databases. Ids follow from the numbers, so that the load generator, pgbench and SQL need no
 * lists: account a has the users (a − 1) × 1,000 + 1 … and the wagers (a − 1) × 100 + 1 …, called w1 … w100.
 */
export const USERS = 1_000;
export const WAGERS = 100;
export const ACCOUNTS = 10;

/** In every account, the small wagers to decide are called `decide1`, `decide2`, … */
export const DECIDED = 'decide';

/** All offers are for this amount, so that an acceptance takes exactly one of them. */
export const AMOUNT_MICROS = 10_000_000;
/** The first balance of each user: enough for any number of offers. */
export const START_BALANCE_MICROS = 1_000_000_000_000_000;

export const firstUserId = (account: number): number => (account - 1) * USERS + 1;
export const firstWagerId = (account: number): number => (account - 1) * WAGERS + 1;

/** The account, reduced to some of its users. */
export function usersOf(account: LoadAccount, from: number, count: number): LoadAccount {
  return { ...account, firstUserId: account.firstUserId + from - 1, users: count };
}
