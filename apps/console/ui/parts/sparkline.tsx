const WIDTH = 100;
const HEIGHT = 20;

/** The line of the values, from left to right, from 0 or the least one at the bottom to the greatest at the top. */
export function lineOf(values: readonly number[]): string {
  const low = Math.min(0, ...values);
  const span = Math.max(0, ...values) - low || 1;
  const place = (index: number) => (values.length < 2 ? 0 : (WIDTH * index) / (values.length - 1));
  const points = values.map(
    (value, index) => `${place(index).toFixed(1)},${(HEIGHT - (HEIGHT * (value - low)) / span).toFixed(1)}`,
  );
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

export interface SparklineProps {
  /** What it is of, and what it comes to: screen readers read it in place of the line, and a pointer shows it. */
  readonly label: string;
  /** In the order of time, at equal distances. */
  readonly values: readonly number[];
}

/** A small chart without axes, for a cell of a table. */
export const Sparkline = ({ label, values }: SparklineProps) => (
  <svg
    class="chart sparkline"
    role="img"
    aria-label={label}
    viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`}
    preserveAspectRatio="none"
  >
    <title>{label}</title>
    <path class="line" d={lineOf(values)} vector-effect="non-scaling-stroke" />
  </svg>
);
