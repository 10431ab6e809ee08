import type { Schemas } from '../../api/api.js';
import { exactly } from '../../parts/amount.js';
import { type Point, StepChart } from '../../parts/step-chart.js';

/** The balance after each line; before the first one that it had at the beginning of the period, to the end of it. */
function pointsOf({ from, to, as_of, lines: found, next }: Schemas['Statement'], isNewest: boolean): readonly Point[] {
  const lines = [...found].reverse();
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return [];
  const before = exactly(first.balance - first.signed_amount);
  // Without money before, the time until the first movement would only fill the chart.
  const opening = before === 0 || next !== null ? [] : [{ at: new Date(from), value: before }];
  const end = new Date(Math.max(Date.parse(last.at), Math.min(Date.parse(to), Date.parse(as_of))));
  const closing = isNewest ? [{ at: end, value: last.balance }] : [];
  return [...opening, ...lines.map(({ at, balance }) => ({ at: new Date(at), value: balance })), ...closing];
}

interface BalanceChartProps {
  /** Its lines are the newest first. */
  readonly statement: Schemas['Statement'];
  /** It begins with the last line of the period. */
  readonly isNewest: boolean;
}

/** The balance over the lines that are loaded. */
export function BalanceChart({ statement, isNewest }: BalanceChartProps) {
  const points = pointsOf(statement, isNewest);
  if (points.length === 0) return null;
  return <StepChart title="Balance over time" unit="Balance" points={points} />;
}
