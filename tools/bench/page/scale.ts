import { whole } from '#tools/shared/command-line.js';

export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Maps values to places on an axis. */
export interface Scale {
  /** 0 at the axis's beginning, 1 at its end. */
  place(value: number): number;
  readonly ticks: readonly Tick[];
}

const MOST_TICKS = 6;
const ROUND_NUMBERS = [1, 2, 5, 10];

/** From 0 to the next round number above all values. */
export function linearScale(values: readonly number[]): Scale {
  const most = Math.max(...values) || 1;
  const power = 10 ** Math.floor(Math.log10(most / MOST_TICKS));
  const step = power * (ROUND_NUMBERS.find((number) => power * number * MOST_TICKS >= most) ?? 10);
  const count = Math.ceil(most / step - 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, index) => tick(index * step));
  return { place: (value) => value / (count * step), ticks };
}

/** Between round numbers around all values, which are above 0. */
export function logScale(values: readonly number[]): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (!(least > 0 && most < Infinity)) throw new RangeError('a logarithmic scale needs figures above 0');
  const candidates = roundNumbersAround(least, most);
  const from = candidates.findLast((at) => at <= least) ?? least;
  const to = candidates.find((at) => at >= most && at > from) ?? most;
  const between = candidates.filter((at) => at >= from && at <= to);
  const isPower = (at: number) => Math.abs(Math.log10(at) % 1) < 1e-9;
  const shown = between.length > 2 * MOST_TICKS ? between.filter((at) => isPower(at) || at === to) : between;
  return { place: (value) => Math.log(value / from) / Math.log(to / from), ticks: shown.map(tick) };
}

function roundNumbersAround(least: number, most: number): number[] {
  const numbers: number[] = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power += 1) {
    // Of negative powers, 10 ** power is not exact.
    for (const digit of [1, 2, 5]) numbers.push(Number(`${digit}e${power}`));
  }
  return numbers;
}

/** The values themselves, evenly spread: for steps that grow by a factor, and may begin with 0. */
export function stepScale(values: readonly number[]): Scale {
  const steps = [...new Set(values)].sort((one, other) => one - other);
  return { place: (value) => (steps.indexOf(value) + 0.5) / steps.length, ticks: steps.map(tick) };
}

const tick = (at: number): Tick => ({ at, text: at >= 10 ? whole(at) : String(Number(at.toPrecision(3))) });
