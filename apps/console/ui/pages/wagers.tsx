import type { Reads, Schemas } from '../api/api.js';
import { type Resource, useResource } from '../api/resource.js';
import type { Column } from '../parts/data-table.js';
import { type Filter, Filters, type Query } from '../parts/filters.js';
import { FilteredTable } from '../parts/paged-table.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { CLOSING, ClosingList, closesIn } from './ledger/closing-list.js';
import { LIST_PAUSE_MS } from './ledger/following.js';
import { RiskSummary } from './ledger/risk-summary.js';
import { SettlingList } from './ledger/settling-list.js';
import { DECIDED, type Outcome, OutcomeTag, outcomeChoices, WagerLink, WagerStatusTag } from './ledger/tags.js';
import { useChosenWagers } from './wager/choose-wagers.js';
import { EventLink } from './wager/event-label.js';

type ListedWager = Schemas['ListedWager'];

const PATH = '/wagers';
const PER_PAGE = 50;
const BY_EVENT = 'event';
const STATES = [
  ['', 'Any state'],
  ['undecided', 'Undecided'],
  ['decided', 'Decided'],
  ['closing', 'Closing soon'],
  ['settling', 'Settling'],
  ...outcomeChoices.map(([outcome, text]) => [outcome, `Decided: ${text.toLowerCase()}`] as const),
] as const;

function outcomesOf(state: string | undefined): readonly Outcome[] | undefined {
  if (state === undefined) return undefined;
  return state === 'decided' ? DECIDED : [state as Outcome];
}

function loadWagers({ get }: Reads, { reference, event, state, cursor = '' }: Query, perPage = PER_PAGE) {
  const isClosing = state === 'closing';
  const outcome = isClosing ? undefined : outcomesOf(state);
  const query = {
    per_page: perPage,
    cursor,
    ...(isClosing ? CLOSING : { sort_direction: 'desc' as const }),
    // A comma separates references: none has one.
    ...(reference !== undefined && { wager_reference: reference.split(',').map((each) => each.trim()) }),
    ...(event !== undefined && { event: [event] }),
    ...(outcome !== undefined && { outcome: [...outcome] }),
  };
  return get('/wagers', { params: { query } });
}

const FILTERS: readonly Filter[] = [
  { name: 'reference', label: 'Reference', type: 'search' },
  { name: 'event', label: 'Event', type: 'search' },
  { name: 'state', label: 'State', choices: STATES },
  {
    name: 'order',
    label: 'Order',
    choices: [
      ['', 'As listed'],
      [BY_EVENT, 'By event'],
    ],
  },
];

const NO_EVENT = 'Without an event';

/** Those of an event stand together, where the first of them stands. */
function byEvent<Page extends { readonly data: readonly ListedWager[] }>(page: Page): Page {
  const events = [...new Set(page.data.map(({ event }) => event))];
  return { ...page, data: events.flatMap((each) => page.data.filter(({ event }) => event === each)) };
}

function State({ wager: { outcome, settling_since, status } }: { readonly wager: ListedWager }) {
  if (settling_since !== null) return <span class="tag warn">settling</span>;
  return outcome === 'undecided' ? <WagerStatusTag status={status} /> : <span class="tag good">settled</span>;
}

const columnsFor = (of: Resource<object>): readonly Column<ListedWager>[] => [
  { title: 'Wager', text: ({ reference }) => <WagerLink reference={reference} /> },
  { title: 'Event', text: ({ event }) => event !== null && <EventLink event={event} /> },
  { title: 'Outcome', text: ({ outcome }) => <OutcomeTag outcome={outcome} /> },
  { title: 'State', text: (wager) => <State wager={wager} /> },
  closesIn(of),
  { title: 'Created', time: ({ created_at }) => created_at },
  // A wager that was never changed has the time at which it was made.
  {
    title: 'Changed',
    time: (wager) => (wager.updated_at === wager.created_at ? null : wager.updated_at),
  },
];

const isFiltered = ({ reference, event, state }: Query): boolean =>
  [reference, event, state].some((given) => given !== undefined);

function captionOf({ state, event }: Query): string {
  const of = event === undefined ? '' : ` of ${event}`;
  return state === 'closing' ? `Wagers${of} that close soon, the nearest first` : `Wagers${of}, newest first`;
}

function WagerList({ query }: { readonly query: Query }) {
  const isByEvent = query.order === BY_EVENT;
  const load = async (reads: Reads) => {
    const page = await loadWagers(reads, query);
    return isByEvent ? byEvent(page) : page;
  };
  const wagers = useResource(load, [JSON.stringify(query)], {
    types: ['wager.*'],
    changedBy: () => query.cursor === undefined,
    pauseMs: LIST_PAUSE_MS,
  });
  const chosen = useChosenWagers(wagers.body?.data ?? []);
  return (
    <>
      {chosen.actions}
      <FilteredTable
        path={PATH}
        query={query}
        filters={FILTERS}
        of={wagers}
        csv={{ name: 'wagers', load: (reads, cursor, perPage) => loadWagers(reads, { ...query, cursor }, perPage) }}
        caption={captionOf(query)}
        columns={[...chosen.columns, ...columnsFor(wagers)]}
        keyOf={({ id }) => id}
        groupOf={isByEvent ? ({ event }) => event ?? NO_EVENT : undefined}
        empty={
          isFiltered(query) ? (
            <p>No wagers match. Enter full references, with commas between them; parts of them find them by Ctrl K.</p>
          ) : (
            <p>
              There are no wagers yet. The first offer creates one: make it on <a href="/">the overview</a>.
            </p>
          )
        }
      />
    </>
  );
}

function WagersPage({ query }: PageProps) {
  return (
    <>
      <Heading text="Wagers">
        <a href="/risk">By risk</a>
      </Heading>
      {query.state === 'settling' ? (
        <>
          <Filters path={PATH} query={query} filters={FILTERS} />
          <SettlingList />
        </>
      ) : (
        <>
          {!isFiltered(query) && query.cursor === undefined && (
            <>
              <RiskSummary most={5} />
              <ClosingList />
            </>
          )}
          <WagerList query={query} />
        </>
      )}
    </>
  );
}

export const wagers: Page = { path: PATH, title: 'Wagers', navigation: 'ledger', view: WagersPage };
