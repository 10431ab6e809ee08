import { accountOf, type Bench, type Figures, planFor, type Scenario, type Target } from './bench.js';
import { runLoad } from './load/run-load.js';
import { finishSeeding, seedAccounts, seedTransactions, topUpOffers, USERS, WAGERS } from './seed.js';

// Lists of an account with a million rows, compared with those of one with few: the first page, and one by cursor in the middle.

/** Offers are seeded for accounts up to a number, so the large one is the first. */
const LARGE = 1;
const SMALL = 2;
const SMALL_ROWS = 10_000;
const PER_PAGE = 20;
/** `from`: the filter that names the earliest time. */
const LISTS = [
  { name: 'open-bets', path: '/bets/open-bets', from: 'created_after' },
  { name: 'history', path: '/bets/history', from: 'created_after' },
  { name: 'transactions', path: '/transactions', from: 'start_date' },
];

export const listsScenario: Scenario = {
  name: 'lists',
  async prepare(bench, build) {
    const database = await build.createDatabase('lists');
    const accounts = await seedAccounts(database, SMALL);
    for (const [count, rows] of [
      [SMALL, SMALL_ROWS],
      [LARGE, bench.options.rows],
    ] as const) {
      await topUpOffers(database, count, rows / WAGERS);
      await seedTransactions(database, count, rows - USERS); // each user has one already
    }
    await finishSeeding(database);
    const api = await build.startApi(database);
    const target = { database, accounts, api };
    await measureLists(bench, target); // warms up
    return { measure: () => measureLists(bench, target), close: () => api.stop() };
  },
};

async function measureLists({ options }: Bench, target: Target): Promise<Figures> {
  const figures: Record<string, number> = {};
  const medianOf = async (account: number, path: string) => {
    const workload = { kind: 'get', path, authorization: accountOf(target, account).authorization } as const;
    return (await runLoad(planFor(options, target.api, { connections: 1, share: 0.25, workload }))).p50Ms;
  };
  const [ratios, byCursor]: [number[], number[]] = [[], []];
  for (const { name, path, from } of LISTS) {
    const first = `${path}?per_page=${PER_PAGE}`;
    const [small, large] = [await medianOf(SMALL, first), await medianOf(LARGE, first)];
    // The second page of a walk that begins at the time of the row in the middle.
    const middle = await read(target, `${first}&page=${Math.ceil(options.rows / PER_PAGE / 2)}`);
    const walk = `${first}&${from}=${middle.data[0]?.created_at}&cursor=`;
    const deep = await medianOf(LARGE, `${walk}${(await read(target, walk)).next}`);
    Object.assign(figures, { [`${name} ms`]: large, [`${name} by cursor ms`]: deep });
    ratios.push(large / small);
    byCursor.push(deep);
  }
  return { ...figures, 'slowest by cursor ms': Math.max(...byCursor), 'most over small': Math.max(...ratios) };
}

interface Page {
  readonly data: readonly { readonly created_at: string }[];
  readonly next?: string;
}

async function read(target: Target, path: string): Promise<Page> {
  const { authorization } = accountOf(target, LARGE);
  const answer = await fetch(`http://127.0.0.1:${target.api.port}${path}`, { headers: { authorization } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return (await answer.json()) as Page;
}
