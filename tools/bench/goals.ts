import { millisecondDecimals, withDecimals } from './format-numbers.js';

/** The target of a goal: `atLeast` or `atMost`. */
export interface Bound {
  /** The text beside the figure. */
  readonly of: string;
  /** The text without the figure. */
  readonly title: string;
  /** Undefined: a ratio. */
  readonly unit?: 'ms' | 'MB' | 'µs' | 'bytes';
  readonly atLeast?: number;
  readonly atMost?: number;
  /** The figure before the work on the costs of an operation, as text. */
  readonly before?: string;
}

const cpuGoal = (of: string, connections: number, atMost: number, before: string): Bound => ({
  of: `${of} cpu`,
  title: `Processor time of ${of} for a make-offer at ${connections} connection${connections === 1 ? '' : 's'}`,
  ...{ unit: 'µs', atMost, before },
});

const orderGoal = (list: string): Bound => ({
  ...{ of: 'median', title: `${list}, first page of the longest list: median`, unit: 'ms', atMost: 250 },
});

/** With the work of the API; PostgreSQL alone has at most 5 ms. */
const cursorGoal = (list: string): Bound => ({
  ...{
    of: 'median',
    title: `${list}, page by cursor in the middle of the longest list: median`,
    unit: 'ms',
    atMost: 10,
  },
});

/** Beside the lean ceiling, and by what one operation costs. */
const COSTS = {
  makeLeanAt64: {
    ...{ of: 'ratio to lean', title: 'make-offer at 64 connections: rate over the lean ceiling', atLeast: 0.5 },
    before: '0.23',
  },
  makeLeanAt256: {
    ...{ of: 'ratio to lean', title: 'make-offer at 256 connections: rate over the lean ceiling', atLeast: 0.75 },
    before: '0.34',
  },
  acceptLeanAt64: {
    ...{ of: 'ratio to lean', title: 'accept-offer at 64 connections: rate over the lean ceiling', atLeast: 0.5 },
  },
  mixedLeanAt64: {
    ...{ of: 'ratio to lean', title: 'mixed load at 64 connections: rate over the lean ceiling', atLeast: 0.6 },
  },
  settlementLean: {
    ...{ of: 'ratio to lean', title: 'Settlement of a large wager: rate over the lean ceiling', atLeast: 0.5 },
    before: '0.20',
  },
  makeP50At1: {
    of: 'p50 over its bound',
    title: 'make-offer at 1 connection: p50 over the larger of 3 ms and 3 × `pgbench -c 1`',
    ...{ atMost: 1, before: '5.7 to 7.6 ms' },
  },
  makeSpreadAt64: {
    ...{ of: 'p99 over p50', title: 'make-offer at 64 connections: p99 over p50', atMost: 2.5 },
  },
  makeApiAt256: cpuGoal('API', 256, 240, '480 µs'),
  makeApiAt64: cpuGoal('API', 64, 300, '610 µs'),
  makeApiAt1: cpuGoal('API', 1, 1_500, '4,200 µs'),
  makePostgresAt256: cpuGoal('PostgreSQL', 256, 90, '170 to 240 µs'),
  makePostgresAt64: cpuGoal('PostgreSQL', 64, 150, '390 µs'),
  makePostgresAt1: cpuGoal('PostgreSQL', 1, 900, '2,700 µs'),
  makeWal: {
    ...{ of: 'WAL', title: 'Write-ahead log of a make-offer, at 64 connections', unit: 'bytes', atMost: 1_300 },
    before: '2.7 kB',
  },
} as const satisfies Record<string, Bound>;

/** All goals, in the order of the page. */
const BOUNDS = {
  makeRatioAt64: { of: 'ratio', title: 'make-offer at 64 connections: rate over the ceiling', atLeast: 0.5 },
  makeRatioAt256: { of: 'ratio', title: 'make-offer at 256 connections: rate over the ceiling', atLeast: 0.75 },
  makeP99At64: { of: 'p99', title: 'make-offer at 64 connections: p99', unit: 'ms', atMost: 60 },
  keyedAt64: {
    of: 'over that of make-offer',
    title: 'make-offer with keys over make-offer without, at 64 connections',
    atLeast: 0.85,
  },
  ...COSTS,
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
  openBetsByCursor: cursorGoal('open-bets'),
  historyByCursor: cursorGoal('history'),
  transactionsByCursor: cursorGoal('transactions'),
  bookOfManyOffers: {
    ...{ of: 'median', title: 'Order book of the longest book, 10 levels: median', unit: 'ms', atMost: 10 },
  },
  openBetsByOdds: orderGoal('open-bets by odds'),
  openBetsByAmount: orderGoal('open-bets by amount'),
  historyByOdds: orderGoal('history by odds'),
  historyByAmount: orderGoal('history by amount'),
  statementPage: {
    ...{ of: 'p99', title: 'Statement of a user in the largest account, 100 lines: p99', unit: 'ms', atMost: 10 },
  },
  eventPage: {
    ...{
      of: 'median',
      title: 'Events, a page of 1,000 from the middle of the longest log: median',
      unit: 'ms',
      atMost: 25,
    },
  },
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
  nightlyAudit: { of: 'took', title: 'Nightly audit after a long past', unit: 'ms', atMost: 60_000 },
  exportCsv: { of: 'took', title: 'Export of a million transactions as CSV', unit: 'ms', atMost: 60_000 },
  exportCsvMemory: { of: 'more', title: 'The same: memory of the worker above its start', unit: 'MB', atMost: 30 },
  exportParquet: { of: 'took', title: 'Export of a million transactions as Parquet', unit: 'ms', atMost: 90_000 },
  streamP50: { of: 'p50', title: 'Stream of events: from the commit to the frame, p50', unit: 'ms', atMost: 20 },
  streamP99: { of: 'p99', title: 'Stream of events: from the commit to the frame, p99', unit: 'ms', atMost: 250 },
  streamMemory: { of: 'more', title: '1,000 idle streams: memory of the API above none', unit: 'MB', atMost: 50 },
  streamProcessor: { of: 'processor', title: '1,000 idle streams: share of a processor', atMost: 0.05 },
  consoles: {
    ...{ of: 'ratio', title: 'make-offer beside 20 open consoles: rate over that without them', atLeast: 0.97 },
  },
  portfolioCheck: { of: 'slowest', title: 'Portfolio check of the busiest user', unit: 'ms', atMost: 1_000 },
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
  if (unit === undefined) return 2;
  return unit === 'ms' ? millisecondDecimals(value) : 0;
}

const withUnit = (text: string, unit: Bound['unit']) => (unit === undefined ? text : `${text} ${unit}`);
