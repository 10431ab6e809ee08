import { type Bench, runLoad } from './bench.js';
import type { GoalName } from './goals.js';
import type { FixedRequest, LoadAccount } from './load/plan.js';
import { recordLatencies } from './record-figures.js';

const PER_PAGE = 20;
/** The goals apply to first pages. */
const LISTS: readonly { readonly path: string; readonly goal: GoalName }[] = [
  { path: '/bets/open-bets', goal: 'growthOpenBets' },
  { path: '/bets/history', goal: 'growthHistory' },
  { path: '/transactions', goal: 'growthTransactions' },
];

/** An account with this number of rows in each list. */
export interface ListAccount {
  readonly account: LoadAccount;
  readonly rows: number;
}

/** First pages in other orders, which need not be as flat: their medians at the largest size have a bound. */
const ORDERS: readonly { readonly path: string; readonly order: string; readonly goal: GoalName }[] = [
  { path: '/bets/open-bets', order: 'requesting_odds', goal: 'openBetsByOdds' },
  { path: '/bets/open-bets', order: 'requesting_amount', goal: 'openBetsByAmount' },
  { path: '/bets/history', order: 'effective_odds', goal: 'historyByOdds' },
  { path: '/bets/history', order: 'effective_amount', goal: 'historyByAmount' },
];

const PLACES = ['first', 'last'] as const;
/** Node.js compiles during the first answers of the API. */
const WARM_UP_SECONDS = 1;

/** Measures the first and the last page of each list; accounts from small to large take turns. */
export async function measureLists(bench: Bench, port: number, accounts: readonly ListAccount[]): Promise<void> {
  const load = (requests: readonly FixedRequest[], seconds: number) =>
    runLoad(bench, { port, connections: 1, workload: { kind: 'cycle', requests }, seconds, warmUpMs: 300 });
  await load(
    LISTS.flatMap(({ path }) => PLACES.flatMap((place) => requestsFor(accounts, path, place))),
    WARM_UP_SECONDS,
  );
  for (const { path, goal } of LISTS) {
    for (const place of PLACES) {
      const result = await load(requestsFor(accounts, path, place), bench.options.seconds / 2);
      recordLatencies(bench, {
        ...{ scenario: 'growth-lists', subject: `${path.split('/').at(-1)}, ${place} page`, sizeOf: 'rows', result },
        sizes: accounts.map(({ rows }) => rows),
        labelOf: String,
        ...(place === 'first' ? { goal } : {}),
      });
    }
  }
  for (const { path, order, goal: largestGoal } of ORDERS) {
    const ordered = accounts.map((account) => requestFor(account, `${path}?sort_by=${order}&per_page=${PER_PAGE}`));
    const result = await load(ordered, bench.options.seconds / 2);
    recordLatencies(bench, {
      ...{ scenario: 'growth-lists', subject: `${path.split('/').at(-1)} by ${order}`, sizeOf: 'rows', result },
      sizes: accounts.map(({ rows }) => rows),
      labelOf: String,
      largestGoal,
    });
  }
}

/** Labelled by the size of the account. */
function requestsFor(
  accounts: readonly ListAccount[],
  path: string,
  place: (typeof PLACES)[number],
): readonly FixedRequest[] {
  return accounts.map((account) => {
    const page = place === 'first' ? 1 : Math.ceil(account.rows / PER_PAGE);
    return requestFor(account, `${path}?page=${page}&per_page=${PER_PAGE}`);
  });
}

const requestFor = ({ account: { authorization }, rows }: ListAccount, path: string): FixedRequest => ({
  ...{ label: String(rows), authorization, method: 'GET', path },
});
