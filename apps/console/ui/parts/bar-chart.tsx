import { Amount, decimalsOf } from './amount.js';

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Where the label leads. */
  readonly href?: string;
}

export interface BarChartProps {
  readonly title: string;
  /** What the bars are of, as the heading of the labels. */
  readonly of: string;
  /** What the values are, as the heading of their column. */
  readonly unit: string;
  readonly bars: readonly Bar[];
}

const PERCENT = 100;

/** From zero to the right, or to the left for values below zero; `low` and `high` are the ends of all bars. */
function Rectangle({ value, low, high }: { readonly value: number; readonly low: number; readonly high: number }) {
  const share = (amount: number) => `${(PERCENT * amount) / (high - low || 1)}%`;
  return (
    <svg class="bar-of-row" aria-hidden="true">
      <rect
        class={value < 0 ? 'bar negative' : 'bar'}
        x={share(Math.min(0, value) - low)}
        width={share(Math.abs(value))}
        height="100%"
      />
    </svg>
  );
}

/** A table whose rows have bars: the chart and its table are the same thing. */
export function BarChart({ title, of, unit, bars }: BarChartProps) {
  const values = bars.map(({ value }) => value);
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const decimals = decimalsOf(values);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll the table
    <section class="scroller" tabIndex={0} aria-label={title}>
      <table class="bars">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <td />
            <th scope="col" class="number">
              {unit}
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ label, value, href }) => (
            <tr key={label}>
              <th scope="row">
                <bdi>{href === undefined ? label : <a href={href}>{label}</a>}</bdi>
              </th>
              <td class="bar-cell">
                <Rectangle value={value} low={low} high={high} />
              </td>
              <td class="number">{Amount({ value, decimals })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
