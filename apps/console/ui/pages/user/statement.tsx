import { useSignal } from '@preact/signals';
import { api, type Schemas } from '../../api/api.js';
import { type Resource, useResource } from '../../api/resource.js';
import { concernsUser } from '../../live/concerns.js';
import { localMidnight } from '../../parts/days.js';
import { Filters, type Query } from '../../parts/filters.js';
import { Loaded } from '../../parts/loaded.js';
import { Pager } from '../../parts/pager.js';
import { Section } from '../../parts/section.js';
import { LIST_PAUSE_MS } from '../ledger/following.js';
import { BalanceChart } from './balance-chart.js';
import { pathOfUser } from './new-user.js';
import { StatementFigures, StatementLines } from './statement-lines.js';

/** So many lines come in one answer, of which the chart is drawn. */
const LOADED_LINES = 1_000;
/** So many of them stand in the table at once. */
const SHOWN_LINES = 50;
const LAST_PART = LOADED_LINES / SHOWN_LINES - 1;

const FILTERS = [
  { name: 'from', label: 'First day', type: 'date' },
  { name: 'to', label: 'Last day', type: 'date' },
] as const;

/** The answers before this one, and the part of this one that the table shows. */
interface Place {
  /** The period that it is in. */
  readonly period: string;
  readonly cursors: readonly string[];
  readonly part: number;
}

const startOf = (period: string): Place => ({ period, cursors: [], part: 0 });

/** Where the pager leads: within the answer that is loaded, then to the answer before or after it. */
function placesAround(
  { cursors, part, ...period }: Place,
  { lines, next }: Schemas['Statement'],
): Record<string, Place> {
  const places: Record<string, Place> = {};
  if ((part + 1) * SHOWN_LINES < lines.length) places.next = { ...period, cursors, part: part + 1 };
  else if (next !== null) places.next = { ...period, cursors: [...cursors, next], part: 0 };
  if (part > 0) places.previous = { ...period, cursors, part: part - 1 };
  else if (cursors.length > 0) places.previous = { ...period, cursors: cursors.slice(0, -1), part: LAST_PART };
  return places;
}

function periodOf({ from = '', to = '' }: Query) {
  const [begin, end] = [localMidnight(from), localMidnight(to, 1)];
  return { ...(begin !== undefined && { from: begin }), ...(end !== undefined && { to: end }) };
}

export interface LoadedStatement {
  readonly resource: Resource<Schemas['Statement']>;
  readonly place: Place;
  readonly move: (place: Place) => void;
}

export function useStatement({ id, reference }: Schemas['User'], query: Query): LoadedStatement {
  const period = periodOf(query);
  const start = startOf(JSON.stringify(period));
  const chosen = useSignal(start);
  const place = chosen.value.period === start.period ? chosen.value : start;
  const cursor = place.cursors.at(-1);
  const resource = useResource(
    () =>
      api.get('/account/user/{reference}/statement', {
        params: {
          path: { reference },
          query: { ...period, limit: LOADED_LINES, ...(cursor !== undefined && { cursor }) },
        },
      }),
    [reference, query.from, query.to, cursor],
    { pauseMs: LIST_PAUSE_MS, changedBy: (event) => concernsUser(event, id) },
  );
  const move = (to: Place) => {
    chosen.value = to;
  };
  return { resource, place, move };
}

export interface StatementSectionProps {
  readonly reference: string;
  readonly query: Query;
  readonly statement: LoadedStatement;
}

/** The movements of a period with the balance after each, as a chart and as lines. */
export function StatementSection({ reference, query, statement: { resource, place, move } }: StatementSectionProps) {
  const period = periodOf(query);
  const file = `/api/account/user/${encodeURIComponent(reference)}/statement?${new URLSearchParams({ ...period, format: 'csv' })}`;
  const link = (
    <a class="button" href={file} target="_top" download>
      Download as CSV
    </a>
  );
  return (
    <Section title="Statement" actions={link}>
      <Filters path={pathOfUser(reference)} query={query} filters={FILTERS} />
      <Loaded of={resource}>
        {(body) => {
          const { part } = place;
          const around = placesAround(place, body);
          // The API begins with the oldest line: of a long period, the newest ones are in another answer.
          const isWhole = body.next === null && place.cursors.length === 0;
          const lines = isWhole ? [...body.lines].reverse() : body.lines;
          return (
            <>
              <StatementFigures statement={body} />
              <BalanceChart statement={body} />
              <StatementLines
                lines={lines.slice(part * SHOWN_LINES, (part + 1) * SHOWN_LINES)}
                isNewestFirst={isWhole}
              />
              <Pager
                page={{ next: around.next && 'next', previous: around.previous && 'previous' }}
                onMove={(to) => move(around[to] ?? place)}
              />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
