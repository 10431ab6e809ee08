import { millisecondDecimals, withDecimals } from './format-numbers.js';

/** The target of a goal: `atLeast` or `atMost`. */
export interface Bound {
  /** The text beside the figure. */
  readonly of: string;
  /** The text without the figure. */
  readonly title: string;
  /** Undefined: a ratio. */
  readonly unit?: 'ms' | 'MB';
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** All goals, in the order of the page. */
const BOUNDS = {
  makeRatioAt64: { of: 'ratio', title: 'make-offer at 64 connections: rate over the ceiling', atLeast: 0.5 },
  makeRatioAt256: { of: 'ratio', title: 'make-offer at 256 connections: rate over the ceiling', atLeast: 0.75 },
  makeP99At64: { of: 'p99', title: 'make-offer at 64 connections: p99', unit: 'ms', atMost: 60 },
  keyedAt64: {
    of: 'ratio over that of make-offer',
    title: 'make-offer with keys over make-offer without, at 64 connections',
    atLeast: 0.85,
  },
  apiMemory: { of: 'peak', title: 'Memory of the API, peak', unit: 'MB', atMost: 250 },
  growthUser: {
    of: 'ratio',
    title: 'make-offer: rate of users with many open offers over users with one',
    atLeast: 0.9,
  },
  growthDatabase: { of: 'ratio', title: 'make-offer: rate in a full database over an empty one', atLeast: 0.8 },
  growthBook: { of: 'ratio', title: 'accept-offer: median with a long book over a short one', atMost: 1.5 },
  growthOpenBets: { of: 'ratio', title: 'open-bets, first page: median of a long list over a short one', atMost: 2 },
  growthHistory: { of: 'ratio', title: 'history, first page: the same', atMost: 2 },
  growthTransactions: { of: 'ratio', title: 'transactions, first page: the same', atMost: 2 },
  settlement: { of: 'ratio', title: 'Settlement of a large wager: rate over the ceiling', atLeast: 0.6 },
  workerMemory: { of: 'peak', title: 'Memory of the worker, peak', unit: 'MB', atMost: 250 },
  workerMemoryFlat: {
    of: 'last third over middle third',
    title: 'Memory of the worker: last third of the settlement over its middle third',
    atMost: 1.15,
  },
  besideOffers: { of: 'ratio', title: 'make-offer elsewhere during a settlement: p99 over that at rest', atMost: 3 },
  besideOwnOthers: {
    of: 'ratio',
    title: 'make-offer of other users of the settling account: p99 over that at rest',
    atMost: 3,
  },
  besideOwnUsers: {
    ...{ of: 'p99', title: 'make-offer of the users whose bets settle: p99', unit: 'ms', atMost: 1_500 },
  },
  besideInline: {
    ...{ of: 'settled', title: 'Small wager elsewhere, settled by its decision: slowest', unit: 'ms', atMost: 1_000 },
  },
  besideQueued: {
    ...{ of: 'settled', title: 'Small wager elsewhere, settled by the worker: slowest', unit: 'ms', atMost: 1_000 },
  },
} as const satisfies Record<string, Bound>;

export type GoalName = keyof typeof BOUNDS;

export const GOALS: readonly (readonly [GoalName, Bound])[] = Object.entries(BOUNDS) as [GoalName, Bound][];

/** A goal with its measured value. */
export interface Goal extends Bound {
  readonly name: GoalName;
  readonly value: number;
}

export const goalOf = (name: GoalName, value: number): Goal => ({ ...BOUNDS[name], name, value });

export const isMet = ({ value, atLeast = -Infinity, atMost = Infinity }: Goal): boolean =>
  value >= atLeast && value <= atMost;

/** The verdict in a line of figures. */
export function describeGoal(goal: Goal): string {
  const wanted = goal.atLeast === undefined ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
  return `${isMet(goal) ? 'met' : 'MISSED'}: ${goal.of} ${wanted}`;
}

/** `at most 60 ms`. */
export function wantedText({ atLeast, atMost, unit }: Bound): string {
  const wanted = atLeast === undefined ? `at most ${atMost?.toLocaleString('en-US')}` : `at least ${atLeast}`;
  return withUnit(wanted, unit);
}

/** `57.3 ms`; with enough decimals not to contradict the verdict: 60.04 is more than 60. */
export function measuredText(goal: Goal): string {
  let decimals = usualDecimals(goal);
  while (isMet({ ...goal, value: Number(goal.value.toFixed(decimals)) }) !== isMet(goal)) decimals += 1;
  return withUnit(withDecimals(goal.value, decimals), goal.unit);
}

function usualDecimals({ unit, value }: Goal): number {
  if (unit === 'MB') return 0;
  return unit === 'ms' ? millisecondDecimals(value) : 2;
}

const withUnit = (text: string, unit: Bound['unit']) => (unit === undefined ? text : `${text} ${unit}`);
