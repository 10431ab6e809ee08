import type { AnswerOf, OperationOf, PathOf } from './calls.js';

// The lists of the API as iterators. They walk by cursor: each row that was there at the start comes once, however many rows
// others write meanwhile.

type QueryOf<P extends PathOf<'get'>> =
  OperationOf<'get', P> extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;
type ParametersOf<P extends PathOf<'get'>> =
  OperationOf<'get', P> extends { parameters: { path: infer Parameters } } ? Parameters : unknown;

/** The path of a list. */
export type ListPath = {
  // A path without a query has the query `never`, of which every name is a key.
  [P in PathOf<'get'>]: [QueryOf<P>] extends [never] ? never : 'include_totals' extends keyof QueryOf<P> ? P : never;
}[PathOf<'get'>];

type ItemIn<Answer> = Answer extends { data: (infer Item)[] }
  ? Item
  : Answer extends { data: { items: (infer Item)[] } }
    ? Item
    : never;

/** An item of a list: of its path or of its iterator's. */
export type ItemOf<P extends ListPath> = ItemIn<AnswerOf<OperationOf<'get', P>>>;

/** What the path and the query of a list take. An empty or absent `cursor` begins with the first page. */
type FiltersOf<P extends ListPath> = Omit<QueryOf<P>, 'page' | 'include_totals'> & ParametersOf<P>;

interface WalkOptions {
  readonly signal?: AbortSignal;
}

type Walk<P extends ListPath> = (
  ...options: Record<never, never> extends FiltersOf<P>
    ? [filters?: FiltersOf<P>, options?: WalkOptions]
    : [filters: FiltersOf<P>, options?: WalkOptions]
) => AsyncGenerator<ItemOf<P>, void, void>;

const lists = {
  bets: { history: '/bets/history', open: '/bets/open-bets' },
  transactions: { list: '/transactions' },
  wagers: { list: '/wagers' },
  users: { list: '/account/user', positions: '/account/user/{userId}/positions' },
  accounts: { list: '/admin/accounts' },
  accountEvents: { list: '/account-events' },
  requestLog: { list: '/request-log' },
  apiKeys: { list: '/auth/account/api-keys' },
  sessions: { list: '/auth/account/sessions' },
  changeRequests: { list: '/change-requests' },
  operators: { list: '/operators' },
  exports: { list: '/exports' },
  webhookEndpoints: { list: '/webhook-endpoints', attempts: '/webhook-endpoints/{id}/attempts' },
} as const satisfies Record<string, Record<string, ListPath>>;

type Lists = typeof lists;
type Walked = { [Group in keyof Lists]: Lists[Group][keyof Lists[Group]] }[keyof Lists];

/** Fails to compile when a list of the document has no iterator. */
const everyListIsWalked: [ListPath] extends [Walked] ? true : never = true;
void everyListIsWalked;

/** `for await (const bet of ledger.bets.history({ wager_reference: ['home-win'] }))` */
export type LedgerLists = {
  readonly [Group in keyof Lists]: {
    readonly [Name in keyof Lists[Group]]: Lists[Group][Name] extends ListPath ? Walk<Lists[Group][Name]> : never;
  };
};

/** The largest page: a walk reads every row, so fewer requests are better. */
const PER_PAGE = 100;

interface PageAnswer {
  readonly data: readonly unknown[] | { readonly items: readonly unknown[]; readonly next?: string | null };
  readonly next?: string | null;
}
type Filters = Readonly<Record<string, unknown>>;
type Get = (path: string, options: object) => Promise<unknown>;

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

async function* walk(get: Get, path: string, filters: Filters = {}, { signal }: WalkOptions = {}) {
  const names = namesIn(path);
  const isInPath = ([name]: [string, unknown]) => names.includes(name);
  const entries = Object.entries(filters);
  const placed = Object.fromEntries(entries.filter(isInPath));
  const { cursor: first = '', ...query } = Object.fromEntries(entries.filter((entry) => !isInPath(entry)));
  let cursor: unknown = first;
  while (cursor != null) {
    const params = { path: placed, query: { per_page: PER_PAGE, ...query, cursor } };
    const answer = (await get(path, { params, ...(signal && { signal }) })) as PageAnswer;
    const page = 'items' in answer.data ? answer.data : { items: answer.data, next: answer.next };
    yield* page.items;
    cursor = page.next;
  }
}

export function createLists(get: Get): LedgerLists {
  const walkers = Object.entries(lists).map(([group, paths]) => [
    group,
    Object.fromEntries(
      Object.entries(paths).map(([name, path]) => [
        name,
        (filters?: Filters, options?: WalkOptions) => walk(get, path, filters, options),
      ]),
    ),
  ]);
  return Object.fromEntries(walkers) as LedgerLists;
}
