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
}

/** Labelled by the size of the account. */
function requestsFor(
  accounts: readonly ListAccount[],
  path: string,
  place: (typeof PLACES)[number],
): readonly FixedRequest[] {
  return accounts.map(({ account: { authorization }, rows }) => {
    const page = place === 'first' ? 1 : Math.ceil(rows / PER_PAGE);
    return { label: String(rows), authorization, method: 'GET', path: `${path}?page=${page}&per_page=${PER_PAGE}` };
  });
}
