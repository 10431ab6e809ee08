import type { Schemas } from '../../api/api.js';
import { viewedAccount } from '../../api/viewed-account.js';
import { localMidnight } from '../../parts/days.js';
import { Filters, type Query } from '../../parts/filters.js';
import { Pager } from '../../parts/pager.js';
import { Section } from '../../parts/section.js';
import { BalanceChart } from './balance-chart.js';
import { pathOfUser } from './new-user.js';
import { SOURCES, StatementFigures, StatementLines } from './statement-lines.js';

/** So many lines come in one answer, of which the chart is drawn. */
export const LOADED_LINES = 1_000;
/** So many of them stand in the table at once. */
const SHOWN_LINES = 50;
const LAST_PART = LOADED_LINES / SHOWN_LINES - 1;

const FILTERS = [
  { name: 'from', label: 'First day', type: 'date' },
  { name: 'to', label: 'Last day', type: 'date' },
  {
    name: 'source',
    label: 'Type',
    choices: [['', 'All'], ...Object.entries(SOURCES)],
  },
] as const;

/** The answers before this one, and the part of this one that the table shows. */
export interface Place {
  /** The period that it is in. */
  readonly period: string;
  readonly cursors: readonly string[];
  readonly part: number;
}

/** The beginning of a period. */
export const placeIn = (query: Query): Place => ({ period: JSON.stringify(wantedLines(query)), cursors: [], part: 0 });

/** They may show different parts of it. */
export const isSameAnswer = (one: Place, other: Place): boolean =>
  one.period === other.period && one.cursors.at(-1) === other.cursors.at(-1);

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

export function periodOf({ from = '', to = '' }: Query) {
  const [begin, end] = [localMidnight(from), localMidnight(to, 1)];
  return { ...(begin !== undefined && { from: begin }), ...(end !== undefined && { to: end }) };
}

type Source = Schemas['StatementLine']['source'];

/** Which lines a person wants, the newest first. */
export const wantedLines = ({ source, ...query }: Query) => ({
  ...periodOf(query),
  sort_direction: 'desc' as const,
  ...(source && { transaction_source: source as Source }),
});

/** The choice of the period. */
export const StatementFilters = ({ reference, query }: { readonly reference: string; readonly query: Query }) => (
  <Filters path={pathOfUser(reference)} query={query} filters={FILTERS} />
);

export interface StatementSectionProps {
  readonly statement: Schemas['Statement'];
  readonly query: Query;
  readonly place: Place;
  readonly onMove: (place: Place) => void;
}

/** The movements of a period with the balance after each, as a chart and as lines. */
export function StatementSection({ statement, query, place, onMove }: StatementSectionProps) {
  const { user: reference, lines } = statement;
  const { part } = place;
  const around = placesAround(place, statement);
  const account = viewedAccount.value === undefined ? {} : { account_id: String(viewedAccount.value) };
  const search = new URLSearchParams({ ...periodOf(query), ...account, format: 'csv' });
  const link = (
    <a
      class="button"
      href={`/api/account/user/${encodeURIComponent(reference)}/statement?${search}`}
      target="_top"
      download
    >
      Download as CSV
    </a>
  );
  return (
    <Section title="Statement" actions={link}>
      <StatementFilters reference={reference} query={query} />
      <StatementFigures statement={statement} />
      {!query.source && <BalanceChart statement={statement} isNewest={place.cursors.length === 0} />}
      <StatementLines lines={lines.slice(part * SHOWN_LINES, (part + 1) * SHOWN_LINES)} />
      <Pager
        page={{ next: around.next && 'next', previous: around.previous && 'previous' }}
        onMove={(to) => onMove(around[to] ?? place)}
      />
    </Section>
  );
}
