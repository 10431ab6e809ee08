import { whole } from '#tools/shared/command-line.js';
import { milliseconds } from '../format-numbers.js';
import type { BenchFigures, GrowthRow, RateRow } from '../report.js';
import { ACCOUNTS } from '../seeded-data.js';
import { type Chart, drawChart, type Series } from './draw-chart.js';

/** An SVG file of the page. */
export interface Plot {
  readonly name: string;
  /** The image's alternative text. */
  readonly title: string;
  readonly svg: string;
}

export interface Plots {
  readonly latency: readonly Plot[];
  readonly throughput: readonly Plot[];
  readonly growth: readonly Plot[];
}

const LATENCY = ['make-offer', 'accept-offer', 'mixed'];
const THROUGHPUT = ['make-offer', 'mixed'];
const GROWTH: readonly GrowthPlot[] = [
  { scenario: 'growth-user', title: 'make-offer, by how many open offers the user has', quantiles: ['p50', 'p99'] },
  { scenario: 'growth-database', title: 'make-offer, by how full the database is', quantiles: ['p50', 'p99'] },
  { scenario: 'growth-book', title: 'accept-offer and make-offer, by how long the book is', quantiles: ['p50'] },
  { scenario: 'growth-lists', title: 'Lists of 20 rows a page, by how many rows there are', quantiles: ['p50'] },
];

interface GrowthPlot {
  readonly scenario: string;
  readonly title: string;
  /** Where sizes take turns on one connection, there are too few answers for a p99. */
  readonly quantiles: readonly Quantile[];
}

type Quantile = 'p50' | 'p99';

/** The p99 that is to be reached at 64 connections. */
const LATENCY_GOAL = 'makeP99At64';

/** Draws only what was measured. */
export function drawPlots({ rates, growth }: BenchFigures): Plots {
  const of = (scenario: string) => rates.filter((row) => row.scenario === scenario && hasAnswers(row.figures));
  const measured = (scenario: string) => of(scenario).length > 1;
  return {
    latency: LATENCY.filter(measured).map((scenario) =>
      plot(`latency-${scenario}`, latencyChart(scenario, of(scenario))),
    ),
    throughput: THROUGHPUT.filter(measured).map((scenario) =>
      plot(`throughput-${scenario}`, throughputChart(scenario, of(scenario), of(`${scenario}-hot`))),
    ),
    growth: GROWTH.flatMap((one) => {
      const rows = growth.filter(({ scenario }) => scenario === one.scenario);
      return rows.some(({ points }) => points.some(hasAnswers)) ? [plot(one.scenario, growthChart(one, rows))] : [];
    }),
  };
}

/** Without an answer there is no latency. */
const hasAnswers = ({ p50Ms }: { readonly p50Ms: number }) => p50Ms > 0;

const plot = (name: string, chart: Chart): Plot => ({ name, title: chart.title, svg: drawChart(chart) });

/** p50 and p99 against the rate. */
function latencyChart(scenario: string, rows: readonly RateRow[]): Chart {
  const quantile = (name: Quantile, style: number): Series => ({
    ...{ name, style },
    points: rows.map(({ rate: x, connections, figures }) => {
      const y = name === 'p50' ? figures.p50Ms : figures.p99Ms;
      const title = `${name} at ${connections} connections: ${milliseconds(y)} ms, ${whole(x)} operations a second`;
      return { x, y, title, ...(name === 'p99' ? { label: String(connections) } : {}) };
    }),
  });
  const series = [quantile('p99', 1), quantile('p50', 0)];
  const ceilings = rows.flatMap(({ ceiling }) => (ceiling === undefined ? [] : [ceiling.rate]));
  const band = { from: Math.min(...ceilings), to: Math.max(...ceilings), label: 'ceiling' };
  const goal = rows.flatMap(({ goals }) => goals).find(({ name }) => name === LATENCY_GOAL)?.atMost;
  return {
    title: `${scenario}: latency against load`,
    x: { label: 'operations a second; beside the points: connections', type: 'value' },
    y: { label: 'milliseconds (logarithmic)', type: 'log' },
    series,
    ...(ceilings.length === 0 ? {} : { band }),
    ...(goal === undefined ? {} : { level: { at: goal, label: `goal for p99 at 64 connections: ${goal} ms` } }),
  };
}

/** Many accounts beside one, each beside its ceiling. */
function throughputChart(scenario: string, spread: readonly RateRow[], hot: readonly RateRow[]): Chart {
  const rates = (name: string, rows: readonly RateRow[], style: number): Series => ({
    ...{ name, style },
    points: rows.map(({ connections: x, rate: y }) => ({ x, y, title: ratePoint(name, x, y) })),
  });
  const ceilings = (name: string, rows: readonly RateRow[], style: number): Series => ({
    ...{ name, style, isDashed: true },
    points: rows.flatMap(({ connections: x, ceiling }) =>
      ceiling === undefined ? [] : [{ x, y: ceiling.rate, title: ratePoint(name, x, ceiling.rate) }],
    ),
  });
  const series = [
    rates(`${ACCOUNTS} accounts`, spread, 0),
    ceilings('their ceiling', spread, 0),
    rates('one account', hot, 1),
    ceilings('its ceiling', hot, 1),
  ].filter(({ points }) => points.length > 0);
  return {
    title: `${scenario}: throughput of many accounts and of one`,
    x: { label: 'connections', type: 'category' },
    y: { label: 'operations a second', type: 'value' },
    series,
  };
}

const ratePoint = (name: string, connections: number, rate: number) =>
  `${name} at ${connections} connections: ${whole(rate)} a second`;

/** Above this ratio the axis of a cost is logarithmic: on a linear one, small costs would not be visible. */
const MOST_TIMES_THE_LEAST = 20;

/** Cost against size. */
function growthChart({ title, quantiles }: GrowthPlot, rows: readonly GrowthRow[]): Chart {
  // "open-bets, first page": both pages of a list share a style.
  const groups = [...new Set(rows.map(({ subject }) => groupOf(subject)))];
  const series = rows.flatMap(({ subject, points }) =>
    quantiles.map((quantile, index): Series => {
      const name = quantiles.length === 1 ? subject : `${subject}, ${quantile}`;
      return {
        ...{ name, style: groups.indexOf(groupOf(subject)) + index, isDashed: subject.endsWith('last page') },
        points: points.filter(hasAnswers).map(({ size: x, p50Ms, p99Ms }) => {
          const y = quantile === 'p50' ? p50Ms : p99Ms;
          return { x, y, title: `${name}, at ${whole(x)}: ${milliseconds(y)} ms` };
        }),
      };
    }),
  );
  const costs = series.flatMap((one) => one.points.map(({ y }) => y));
  const isWide = Math.max(...costs) > MOST_TIMES_THE_LEAST * Math.min(...costs);
  const kind = quantiles.length === 1 ? 'milliseconds, median' : 'milliseconds';
  return {
    title,
    x: { label: rows[0]?.sizeOf ?? '', type: 'category' },
    y: { label: isWide ? `${kind} (logarithmic)` : kind, type: isWide ? 'log' : 'value' },
    series,
  };
}

const groupOf = (subject: string) => subject.split(',')[0] ?? subject;
