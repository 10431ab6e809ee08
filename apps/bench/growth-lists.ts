import { type Bench, runLoad } from './bench.js';
import { noteLatencies } from './growth-notes.js';
import type { FixedRequest, LoadAccount } from './load/plan.js';

const PER_PAGE = 20;
const LISTS = ['/bets/open-bets', '/bets/history', '/transactions'];
/** At most this ratio of the medians, of first pages. */
const FIRST_PAGE_GOAL = 2;

export interface ListsOptions {
  readonly port: number;
  readonly large: LoadAccount;
  readonly small: LoadAccount;
  readonly largeRows: number;
  readonly smallRows: number;
}

/** The first and the last page of each list, of a small and a large account in turn. */
export async function measureLists(bench: Bench, options: ListsOptions): Promise<void> {
  const { port, large, small, largeRows, smallRows } = options;
  const seconds = bench.options.seconds / 2;
  for (const path of LISTS) {
    for (const place of ['first', 'last'] as const) {
      const request = (label: string, { authorization }: LoadAccount, rows: number): FixedRequest => {
        const page = place === 'first' ? 1 : Math.ceil(rows / PER_PAGE);
        return { label, authorization, method: 'GET', path: `${path}?page=${page}&per_page=${PER_PAGE}` };
      };
      const requests = [request('small', small, smallRows), request('large', large, largeRows)];
      const workload = { kind: 'cycle', requests } as const;
      const result = await runLoad(bench, { port, connections: 1, workload, seconds, warmUpMs: 300 });
      const { small: few, large: many } = result.byLabel;
      if (few === undefined || many === undefined) continue;
      const what = `${path} ${place} page`;
      const goal = place === 'first' ? FIRST_PAGE_GOAL : undefined;
      noteLatencies(bench, { scenario: 'growth-lists', what, small: few, large: many, result, goal });
    }
  }
}
