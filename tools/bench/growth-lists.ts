import { type Bench, runLoad } from './bench.js';
import type { GoalName } from './goals.js';
import type { FixedRequest, LoadAccount } from './load/plan.js';
import { recordLatencies } from './record-figures.js';

const PER_PAGE = 20;
/** The goals apply to first pages. */
const LISTS: readonly ListRead[] = [
  { path: '/bets/open-bets', goal: 'growthOpenBets', cursorGoal: 'openBetsByCursor', lowerBound: 'created_after' },
  { path: '/bets/history', goal: 'growthHistory', cursorGoal: 'historyByCursor', lowerBound: 'created_after' },
  { path: '/transactions', goal: 'growthTransactions', cursorGoal: 'transactionsByCursor', lowerBound: 'start_date' },
];

interface ListRead {
  readonly path: string;
  readonly goal: GoalName;
  readonly cursorGoal: GoalName;
  /** The filter that names the earliest time. */
  readonly lowerBound: string;
}

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
  for (const { path, lowerBound, cursorGoal: largestGoal } of LISTS) {
    const requests = await Promise.all(accounts.map((account) => middleByCursor(port, account, { path, lowerBound })));
    const result = await load(requests, bench.options.seconds / 2);
    recordLatencies(bench, {
      ...{
        scenario: 'growth-lists',
        subject: `${path.split('/').at(-1)}, middle page by cursor`,
        sizeOf: 'rows',
        result,
      },
      sizes: accounts.map(({ rows }) => rows),
      labelOf: String,
      largestGoal,
    });
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

/** A walk that begins at the time of the row in the middle, at its second page. */
async function middleByCursor(
  port: number,
  account: ListAccount,
  { path, lowerBound }: Pick<ListRead, 'path' | 'lowerBound'>,
): Promise<FixedRequest> {
  const headers = { authorization: account.account.authorization };
  const read = async (query: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}?per_page=${PER_PAGE}&${query}`, { headers });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return (await answer.json()) as {
      readonly data: readonly { readonly created_at: string }[];
      readonly next?: string;
    };
  };
  const middle = await read(`page=${Math.ceil(account.rows / PER_PAGE / 2)}`);
  const walk = `${lowerBound}=${middle.data[0]?.created_at}&cursor=`;
  const { next } = await read(walk);
  return requestFor(account, `${path}?per_page=${PER_PAGE}&${walk}${next}`);
}
