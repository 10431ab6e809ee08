import { useSignal } from '@preact/signals';
import type { Reads, Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { Field } from '../../forms/fields.js';
import { formatCount, formatCountOf } from '../../parts/amount.js';
import { DataTable } from '../../parts/data-table.js';
import { AsOf, Loaded } from '../../parts/loaded.js';
import { type Point, StepChart } from '../../parts/step-chart.js';

type Series = Schemas['HourlySeries'];
type Hour = Schemas['HourOfSeries'];

export interface HourlyChartsProps {
  /** Its reference; without it and `user`: the account. */
  readonly wager?: string;
  readonly user?: string;
}

const HOUR_MS = 3_600_000;
const PAUSE_MS = 10_000;
/** A longer table would only slow the browser down. */
const MOST_ROWS = 200;
const PERIODS = [
  ['24', 'The last 24 hours'],
  ['168', 'The last 7 days'],
  ['744', 'The last 31 days'],
] as const;
const TYPES = ['offer.matched', 'bet.*'];

/** What an hour comes to, from its begin to its end. */
function pointsOf(hours: readonly Hour[], pick: (hour: Hour) => number): readonly Point[] {
  const last = hours.at(-1);
  const points = hours.map((hour) => ({ at: new Date(hour.at), value: pick(hour) }));
  return last === undefined ? [] : [...points, { at: new Date(Date.parse(last.at) + HOUR_MS), value: pick(last) }];
}

/** Whether an hour differs from a quiet one after the hour before it. */
const isBusy = (hour: Hour, index: number, hours: readonly Hour[]): boolean =>
  hour.matched_bets + hour.settled_bets + hour.settled_amount > 0 ||
  hour.gross_exposure !== (hours[index - 1] ?? hour).gross_exposure;

function HoursTable({ hours }: { readonly hours: readonly Hour[] }) {
  const busy = hours.filter(isBusy);
  return (
    <details>
      <summary>The hours as a table</summary>
      <DataTable
        caption={
          busy.length > MOST_ROWS
            ? `The latest ${MOST_ROWS} of ${formatCount(busy.length)} hours in which something changed`
            : 'Hours in which something changed'
        }
        columns={[
          { title: 'From', time: ({ at }) => at },
          { title: 'Matched', amount: (hour) => hour.matched_amount },
          { title: 'Matched bets', count: (hour) => hour.matched_bets },
          { title: 'Settled', amount: (hour) => hour.settled_amount },
          { title: 'Settled bets', count: (hour) => hour.settled_bets },
          { title: 'Gross exposure', amount: (hour) => hour.gross_exposure },
        ]}
        items={busy.slice(-MOST_ROWS).reverse()}
        keyOf={({ at }) => at}
        empty={<p>Nothing was matched or settled in this time.</p>}
      />
    </details>
  );
}

const Charts = ({ data, behind_events: behind }: Series) => (
  <>
    {behind > 0 && <p class="fault">The newest {formatCountOf(behind, 'event')} are not in these figures yet.</p>}
    <div class="panel">
      <StepChart
        title="Matched by hour"
        unit="Matched"
        points={pointsOf(data, (hour) => hour.matched_amount)}
        sharesTable
      />
      <StepChart
        title="Settled by hour"
        unit="Settled"
        points={pointsOf(data, (hour) => hour.settled_amount)}
        sharesTable
      />
      <StepChart
        title="Gross exposure"
        unit="Gross exposure"
        points={pointsOf(data, (hour) => hour.gross_exposure)}
        sharesTable
      />
      <p class="aside">
        Gross exposure is what the matched bets could cost before they are settled, each by itself, at the end of each
        hour.
      </p>
      <HoursTable hours={data} />
    </div>
  </>
);

/** What was matched, settled and at risk by hour, of the account, a wager or a user. */
export function HourlyCharts({ wager, user }: HourlyChartsProps) {
  const period = useSignal<string>(PERIODS[0][0]);
  const hours = Number(period.value);
  const load = ({ get }: Reads): Promise<Series> =>
    get('/series', {
      params: {
        query: {
          from: new Date(Date.now() - (hours - 1) * HOUR_MS).toISOString(),
          ...(wager !== undefined && { wager_reference: wager }),
          ...(user !== undefined && { user_reference: user }),
        },
      },
    });
  const loaded = useResource(load, [wager, user, hours], {
    isKept: true,
    types: TYPES,
    pauseMs: PAUSE_MS,
  });
  return (
    <>
      <Field
        name="period"
        label="Time"
        choices={PERIODS}
        value={period.value}
        onChange={(value) => {
          period.value = value;
        }}
      />
      <AsOf of={loaded} />
      <Loaded of={loaded}>{(series) => <Charts {...series} />}</Loaded>
    </>
  );
}
