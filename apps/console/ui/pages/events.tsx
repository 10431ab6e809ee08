import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Reads } from '../api/api.js';
import { NOT_FOUND, orNothing } from '../api/errors.js';
import { useResource } from '../api/resource.js';
import { type EventFilter, type NewestEvents, type NewestOptions, readNewestEvents } from '../live/newest-events.js';
import { formatCount } from '../parts/amount.js';
import { DownloadCsv } from '../parts/download-csv.js';
import { addressWith, Filters, type Query } from '../parts/filters.js';
import { SavedViews } from '../parts/later-saved-views.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { route } from '../shell/router.js';
import { EventTable } from './events/event-table.js';
import { useLiveEvents } from './events/live-events.js';

const PATH = '/events';
const FAMILIES = [
  ['', 'All types'],
  ['transaction.*', 'Money in and out'],
  ['offer.*', 'Offers'],
  ['bet.*', 'Bets'],
  ['wager.*', 'Wagers'],
  ['user.*', 'Users'],
  ['account.*', 'The account'],
  ['webhook.*', 'Webhooks'],
] as const;
const FILTERS = [
  { name: 'types', label: 'Type', choices: FAMILIES },
  { name: 'wager', label: 'Wager', type: 'search' },
  { name: 'user', label: 'User', type: 'search' },
  { name: 'bet', label: 'Bet', type: 'search' },
] as const;
const BET_ID = /^[1-9]\d{0,14}$/;

/** The id of a user by its reference; null when there is no such user. */
async function idOf({ get }: Reads, reference: string): Promise<{ readonly id: number | null }> {
  const found = await orNothing(
    get('/account/user/{reference}/reference', { params: { path: { reference } } }),
    NOT_FOUND,
  );
  return { id: found?.data.id ?? null };
}

/** Goes to the event with a number. */
function Jump() {
  const id = useId();
  const onSubmit = (event: Event) => {
    event.preventDefault();
    const number = new FormData(event.currentTarget as HTMLFormElement).get('number');
    route(`${PATH}/${encodeURIComponent(String(number).replace(/\D/g, ''))}`);
  };
  return (
    <form class="row" onSubmit={onSubmit}>
      <div class="field">
        <label for={id}>Event number</label>
        <input id={id} name="number" inputMode="numeric" pattern="[\d\s,]*[1-9][\d\s,]*" required autoComplete="off" />
      </div>
      <button type="submit">Open</button>
    </form>
  );
}

/** The numbers that were looked through, and the way to those before and after. */
function Places({ body: { first, last, head }, query }: { readonly body: NewestEvents; readonly query: Query }) {
  const isNewest = query.up_to === undefined;
  return (
    <nav class="pager" aria-label="Pages of the list">
      {first > 1 && (
        <a class="button" href={addressWith(PATH, { ...query, up_to: String(first - 1) })}>
          Earlier events
        </a>
      )}
      {!isNewest && (
        <a class="button" href={addressWith(PATH, { ...query, up_to: undefined })}>
          Newest events
        </a>
      )}
      <p class="aside">
        Events {formatCount(first)} to {isNewest ? 'the newest' : formatCount(last)}, of {formatCount(head)} or more
      </p>
    </nav>
  );
}

async function loadEvents(reads: Reads, options: NewestOptions) {
  const { events, first } = await readNewestEvents(reads, options);
  return { data: events, next: first > 1 ? String(first - 1) : null };
}

function waitingText(count: number): string {
  if (count === 0) return 'New events wait.';
  return count === 1 ? '1 new event waits.' : `${formatCount(count)} new events wait.`;
}

function EventList({ filter, query }: { readonly filter: EventFilter; readonly query: Query }) {
  const isPaused = useSignal(false);
  const upTo = query.up_to === undefined ? undefined : Math.max(1, Number.parseInt(query.up_to, 10) || 1);
  const { resource, events, waiting } = useLiveEvents({ filter, upTo, isPaused: isPaused.value });
  const hasFilter = Object.keys(filter).length > 0;
  return (
    <>
      {upTo === undefined ? (
        <div class="actions">
          <button
            type="button"
            aria-pressed={isPaused.value}
            onClick={() => {
              isPaused.value = !isPaused.value;
            }}
          >
            Pause
          </button>
          <p class="aside">{isPaused.value ? waitingText(waiting) : 'New events appear by themselves.'}</p>
        </div>
      ) : (
        <AsOf of={resource} />
      )}
      <Loaded of={resource}>
        {(body) => (
          <>
            <EventTable
              events={events}
              empty={
                hasFilter
                  ? `No matching events among the numbers ${formatCount(body.first)} to ${formatCount(body.last)}.`
                  : 'Nothing has happened yet. Each change of the ledger is an event here.'
              }
            />
            <Places body={body} query={query} />
            <div class="actions">
              <DownloadCsv
                name="events"
                load={(reads, at, count) =>
                  loadEvents(reads, { ...filter, count, upTo: at === '' ? upTo : Number(at) })
                }
              />
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

function EventsPage({ query }: PageProps) {
  const { types, wager, user, bet } = query;
  const named = useResource<{ readonly id: number | null }>(
    async (reads) => (user === undefined ? { id: null } : idOf(reads, user)),
    [user],
  );
  const filter = {
    ...(types && { types }),
    ...(wager && { wager_reference: wager }),
    ...(bet && { bet_id: Number(bet) }),
  };
  return (
    <>
      <Heading text="Events" />
      <Filters path={PATH} query={query} filters={FILTERS} />
      <SavedViews path={PATH} query={query} />
      <Jump />
      <Loaded of={named}>
        {({ id }) =>
          bet !== undefined && !BET_ID.test(bet) ? (
            <p class="empty">
              There is no bet <bdi>“{bet}”</bdi>. Its number is needed.
            </p>
          ) : user !== undefined && id === null ? (
            <p class="empty">
              There is no user <bdi>“{user}”</bdi>. Enter the full reference.
            </p>
          ) : (
            <EventList filter={id === null ? filter : { ...filter, user_id: id }} query={query} />
          )
        }
      </Loaded>
    </>
  );
}

export const events: Page = { path: PATH, title: 'Events', navigation: 'ledger', view: EventsPage };
