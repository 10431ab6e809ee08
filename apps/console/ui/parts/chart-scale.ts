// Round figures for the axis of a chart.

const STEPS = [1, 2, 2.5, 5, 10];

/** Round values from below `low` to above `high`, about as many as wanted. */
export function roundTicks(low: number, high: number, wanted: number): readonly number[] {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS.find((candidate) => candidate * power >= rough) ?? 10);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}
