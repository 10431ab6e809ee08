import type { components, operations } from './generated.js';

// The lines of a statement and the users of a reconciliation as iterators. They walk by cursor, like lists.

type Schemas = components['schemas'];
type StatementQuery = NonNullable<operations['userStatement']['parameters']['query']>;
type DayQuery = operations['reconciliationRead']['parameters']['query'];

export interface WalkOptions {
  readonly signal?: AbortSignal;
}

export interface LineWalks {
  /** Of one moment: what is written during the walk is not in it. */
  statement(
    filters: Omit<StatementQuery, 'format'> & { readonly reference: string },
    options?: WalkOptions,
  ): AsyncGenerator<Schemas['StatementLine'], void, void>;
  dayOfUsers(
    filters: Omit<DayQuery, 'include'>,
    options?: WalkOptions,
  ): AsyncGenerator<Schemas['DayOfUser'], void, void>;
}

type Get = (path: string, options: object) => Promise<unknown>;

/** The largest page: a walk reads every line, so fewer requests are better. */
const PER_PAGE = 1_000;

async function* pagesOf<Page extends { readonly next?: string | null }>(
  readPage: (cursor: string) => Promise<unknown>,
  first = '',
): AsyncGenerator<Page, void, void> {
  let cursor: string | null | undefined = first;
  while (cursor != null) {
    const page = (await readPage(cursor)) as Page;
    yield page;
    cursor = page.next;
  }
}

export const createLineWalks = (get: Get): LineWalks => ({
  async *statement({ reference, cursor: first, limit = PER_PAGE, per_page = limit, ...query }, options) {
    const path = '/account/user/{reference}/statement';
    const read = (cursor: string) =>
      get(path, { params: { path: { reference }, query: { ...query, per_page, cursor } }, ...options });
    for await (const { lines } of pagesOf<Schemas['Statement']>(read, first)) yield* lines;
  },
  async *dayOfUsers({ cursor: first, limit = PER_PAGE, per_page = limit, ...query }, options) {
    const read = (cursor: string) =>
      get('/reconciliation', { params: { query: { ...query, per_page, include: 'users', cursor } }, ...options });
    for await (const { users = [] } of pagesOf<Schemas['Reconciliation']>(read, first)) yield* users;
  },
});
