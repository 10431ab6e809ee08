import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { decimalsOf, formatAmount } from './amount.js';
import { roundTicks } from './chart-scale.js';
import { DataTable } from './data-table.js';
import { formatClock, formatTime } from './time.js';

/** From this time on, the value is this one. */
export interface Point {
  readonly at: Date;
  readonly value: number;
}

export interface StepChartProps {
  readonly title: string;
  readonly unit: string;
  /** In the order of time. */
  readonly points: readonly Point[];
  /** Its values are in a table of several charts. */
  readonly sharesTable?: boolean;
}

const HEIGHT = 220;
const USUAL_WIDTH = 640;
const NARROW = 420;
const TOP = 8;
const BOTTOM = 28;
const RIGHT = 8;
const CHARACTER_WIDTH = 7;
const TICKS = 4;
const DAY_MS = 86_400_000;
/** A longer table would only slow the browser down. */
const MOST_ROWS = 200;

/** Where values and times stand. */
interface Scale {
  readonly ticks: readonly number[];
  readonly decimals: number;
  readonly left: number;
  readonly x: (at: Date) => number;
  readonly y: (value: number) => number;
}

function scaleOf(points: readonly Point[], width: number): Scale {
  const values = points.map(({ value }) => value);
  const ticks = roundTicks(Math.min(0, ...values), Math.max(0, ...values), TICKS);
  const decimals = decimalsOf(ticks);
  const left = 12 + CHARACTER_WIDTH * Math.max(...ticks.map((tick) => formatAmount(tick, decimals).length));
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  const begin = points[0]?.at.getTime() ?? 0;
  const end = points.at(-1)?.at.getTime() ?? 1;
  return {
    ticks,
    decimals,
    left,
    x: (at) => left + ((at.getTime() - begin) / (end - begin || 1)) * (width - left - RIGHT),
    y: (value) => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM),
  };
}

/** Across to the time of the next value, then up or down to it. */
function lineOf(points: readonly Point[], { x, y }: Scale): string {
  return points
    .map(({ at, value }, index) => {
      const [place, height] = [x(at).toFixed(1), y(value).toFixed(1)];
      return index === 0 ? `M${place},${height}` : `H${place}V${height}`;
    })
    .join('');
}

/** Times of one day need no date; on a narrow chart there is room for one of the two. */
function labelOf(at: Date, points: readonly Point[], width: number): string {
  const span = (points.at(-1)?.at.getTime() ?? 0) - (points[0]?.at.getTime() ?? 0);
  if (span < DAY_MS) return formatClock(at);
  return width < NARROW ? (formatTime(at).split(',')[0] ?? '') : formatTime(at);
}

function Drawing({ points, width }: { readonly points: readonly Point[]; readonly width: number }) {
  const scale = scaleOf(points, width);
  const { ticks, decimals, left, x, y } = scale;
  const line = lineOf(points, scale);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const ground = y(0).toFixed(1);
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line class={tick === 0 ? 'axis' : 'grid'} x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick)} dy="0.35em" text-anchor="end">
            {formatAmount(tick, decimals)}
          </text>
        </g>
      ))}
      <path class="area" d={`${line}V${ground}H${x(first.at).toFixed(1)}Z`} />
      <path class="line" d={line} />
      <text x={left} y={HEIGHT - 6}>
        {labelOf(first.at, points, width)}
      </text>
      <text x={width - RIGHT} y={HEIGHT - 6} text-anchor="end">
        {labelOf(last.at, points, width)}
      </text>
    </>
  );
}

const ValuesTable = ({ title, unit, points }: StepChartProps) => (
  <details>
    <summary>{title} as a table</summary>
    <DataTable
      caption={points.length > MOST_ROWS ? `The latest ${MOST_ROWS} values` : title}
      columns={[
        { title: 'From', time: ({ at }) => at },
        { title: unit, amount: ({ value }) => value },
      ]}
      items={points.slice(-MOST_ROWS).reverse()}
      keyOf={({ at, value }) => `${at.toISOString()} ${value}`}
      empty={<p>There are no values yet.</p>}
    />
  </details>
);

/** A value over time, as wide as its place, with its table below. */
export function StepChart({ title, unit, points, sharesTable = false }: StepChartProps) {
  const ref = useRef<HTMLElement>(null);
  const width = useSignal(USUAL_WIDTH);
  const titleId = useId();
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      width.value = Math.round(entry?.contentRect.width ?? USUAL_WIDTH);
    });
    if (ref.current !== null) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return (
    <figure ref={ref}>
      <figcaption>{title}</figcaption>
      <svg class="chart" role="img" aria-labelledby={titleId} width={width.value} height={HEIGHT}>
        <title id={titleId}>{`${title}: the values are in the table below`}</title>
        <Drawing points={points} width={width.value} />
      </svg>
      {!sharesTable && <ValuesTable title={title} unit={unit} points={points} />}
    </figure>
  );
}
