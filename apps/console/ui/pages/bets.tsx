import type { Reads } from '../api/api.js';
import { useResource } from '../api/resource.js';
import type { LedgerEvent } from '../live/shared-events.js';
import { readAmount } from '../parts/amount.js';
import { localMidnight } from '../parts/days.js';
import type { Filter, Query } from '../parts/filters.js';
import { FilteredTable } from '../parts/paged-table.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { betColumns, type ListedBet } from './ledger/bet-columns.js';
import { ABOUT_BETS, LIST_PAUSE_MS } from './ledger/following.js';
import { DECIDED, type Outcome, outcomeText } from './ledger/tags.js';

const PATH = '/bets';
const PER_PAGE = 50;
const SORTS = [
  ['', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['amount', 'Largest stake first'],
  ['odds', 'Highest odds first'],
] as const;
const SHOWN = [
  ['', 'All bets'],
  ['open', 'Open offers'],
] as const;
const OUTCOMES = [
  ['', 'Any outcome'],
  ...(['undecided', ...DECIDED] as const).map((outcome) => [outcome, outcomeText[outcome]] as const),
] as const;

const listOf = (text: string | undefined) => (text === undefined ? undefined : [text]);

/** Days are the reader's own. What is no day goes as it is: the API says so. */
function lastMomentOf(day: string): string {
  const end = localMidnight(day, 1);
  return end === undefined ? day : new Date(Date.parse(end) - 1).toISOString();
}

/** What is no amount, the API says. */
function amountOf(text: string): number {
  const reading = readAmount(text);
  return 'value' in reading ? reading.value : Number.NaN;
}

/** What both lists are asked. */
const sharedOf = ({ wager, stake, from, to, cursor = '' }: Query, perPage: number) => ({
  per_page: perPage,
  cursor,
  sort_direction: 'desc' as const,
  ...(wager !== undefined && { wager_reference: [wager] }),
  ...(stake !== undefined && { minimum_amount: amountOf(stake) }),
  ...(from !== undefined && { created_after: localMidnight(from) ?? from }),
  ...(to !== undefined && { created_before: lastMomentOf(to) }),
});

interface BetList {
  readonly data: readonly ListedBet[];
  readonly next?: string | null;
  readonly previous?: string | null;
}

function loadBets({ get }: Reads, query: Query, perPage = PER_PAGE): Promise<BetList> {
  const { user, outcome, sort, show } = query;
  const shared = { ...sharedOf(query, perPage), ...(sort === 'oldest' && { sort_direction: 'asc' as const }) };
  if (show === 'open') {
    const sort_by = sort === 'amount' ? 'requesting_amount' : sort === 'odds' ? 'requesting_odds' : 'created_at';
    const user_reference = listOf(user);
    return get('/bets/open-bets', {
      params: { query: { ...shared, sort_by, ...(user_reference && { user_reference }) } },
    });
  }
  const sort_by = sort === 'amount' ? 'effective_amount' : sort === 'odds' ? 'effective_odds' : 'created_at';
  const user_reference = listOf(user);
  const bet_outcomes = listOf(outcome) as Outcome[] | undefined;
  return get('/bets/history', {
    params: {
      query: { ...shared, sort_by, ...(user_reference && { user_reference }), ...(bet_outcomes && { bet_outcomes }) },
    },
  });
}

const FILTERS: readonly Filter[] = [
  { name: 'show', label: 'Show', choices: SHOWN },
  { name: 'wager', label: 'Wager', type: 'search' },
  { name: 'user', label: 'User', type: 'search' },
  { name: 'outcome', label: 'Outcome', choices: OUTCOMES },
  { name: 'stake', label: 'Stake from', number: readAmount },
  { name: 'from', label: 'Offered from', type: 'date' },
  { name: 'to', label: 'Offered until', type: 'date' },
  { name: 'sort', label: 'Order', choices: SORTS },
];

const isFiltered = ({ wager, user, outcome, stake, from, to }: Query): boolean =>
  [wager, user, outcome, stake, from, to].some((filter) => filter !== undefined);

function Empty({ query }: { readonly query: Query }) {
  if (isFiltered(query)) return <p>No bets match. Enter the full reference of a wager or a user, or a lower stake.</p>;
  return (
    <p>
      There are no {query.show === 'open' ? 'open offers' : 'bets'} yet. Make the first offer on{' '}
      <a href="/">the overview</a>.
    </p>
  );
}

function BetsPage({ query }: PageProps) {
  // Only the first page of the list grows under the reader.
  const changedBy = ({ bet }: LedgerEvent) => bet !== undefined && query.cursor === undefined;
  const options = { types: ABOUT_BETS, changedBy, pauseMs: LIST_PAUSE_MS };
  const bets = useResource((reads) => loadBets(reads, query), [JSON.stringify(query)], options);
  return (
    <>
      <Heading text="Bets" />
      <FilteredTable
        path={PATH}
        query={query}
        filters={FILTERS}
        of={bets}
        csv={{ name: 'bets', load: (reads, cursor, perPage) => loadBets(reads, { ...query, cursor }, perPage) }}
        caption={query.show === 'open' ? 'Open offers' : 'Bets'}
        columns={betColumns()}
        keyOf={({ id }) => id}
        empty={<Empty query={query} />}
      />
    </>
  );
}

export const bets: Page = { path: PATH, title: 'Bets', navigation: 'ledger', view: BetsPage };
