import type { Reads, Schemas } from '../../api/api.js';
import { type Resource, useResource } from '../../api/resource.js';
import type { Point } from '../../parts/step-chart.js';
import { isAboutWager } from '../ledger/following.js';

// The matched bets of a wager, for the chart of what was matched over time.

const PAGE = 100;
/** Of a wager with more matched bets, the largest are read. */
const MOST_PAGES = 10;
/** They are many requests. */
const PAUSE_MS = 10_000;

interface Match {
  readonly at: Date;
  readonly amount: number;
}

export interface MatchedBets {
  /** In the order of time. */
  readonly matches: readonly Match[];
  /** There are no others. */
  readonly isWhole: boolean;
}

function matchOf({ effective_amount: amount, bet_trails: trails = [], created_at }: Schemas['Bet']): Match[] {
  if (amount === null) return [];
  const acceptance = trails.find(({ accepting_amount }) => accepting_amount !== null);
  return [{ at: new Date(acceptance?.created_at ?? created_at), amount }];
}

async function load({ get }: Reads, reference: string): Promise<MatchedBets> {
  const query = {
    wager_reference: [reference],
    per_page: PAGE,
    include_bet_trails: true,
    sort_by: 'effective_amount' as const,
    sort_direction: 'desc' as const,
  };
  const pages: Schemas['BetPage'][] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined && pages.length < MOST_PAGES) {
    const page: Schemas['BetPage'] = await get('/bets/history', { params: { query: { ...query, cursor } } });
    pages.push(page);
    // Offers without an acceptor stand at the end of the list.
    cursor = page.data.at(-1)?.effective_amount == null ? undefined : (page.next ?? undefined);
  }
  const matches = pages.flatMap(({ data }) => data.flatMap(matchOf));
  matches.sort((one, other) => one.at.getTime() - other.at.getTime());
  return { matches, isWhole: cursor === undefined };
}

export const useMatchedBets = (reference: string): Resource<MatchedBets> =>
  useResource((reads) => load(reads, reference), [reference], {
    types: ['offer.matched'],
    changedBy: isAboutWager(reference),
    pauseMs: PAUSE_MS,
  });

/** The amount matched so far, over time. */
export function pointsOf({ matches }: MatchedBets, most: number): readonly Point[] {
  const every = Math.ceil(matches.length / most);
  let value = 0;
  const points = matches.map(({ at, amount }) => {
    value += amount;
    return { at, value };
  });
  return points.filter((_, index) => index % every === 0 || index === points.length - 1);
}
