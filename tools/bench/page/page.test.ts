import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GOALS, type Goal, goalOf } from '../goals.js';
import type { BenchReport, GrowthRow, RateRow } from '../report.js';
import { readLevers, readReport, writePage } from './files.js';
import { renderPage } from './page.js';

const LEVELS = [1, 16, 64, 256];

function rateRow(scenario: string, connections: number, goals: readonly Goal[] = []): RateRow {
  const rate = 1_000 + connections * 5;
  const figures = { rate, answers: { '201': rate }, meanMs: 20, p50Ms: 15, p99Ms: 40 + connections / 10, maxMs: 90 };
  const ceiling = { rate: 3_000, drivenBy: 'pgbench' };
  const lean = { rate: 5_000, ratio: rate / 5_000, ...(connections === 1 ? { singleMs: 1.25 } : {}) };
  const costs = { apiCpuMicros: 400, postgresCpuMicros: 200, walBytes: 1_234, groups: 40, groupSize: 25.25 };
  const common = { scenario, connections, rate, figures, ceiling, ratio: rate / 3_000, lean, costs };
  return { ...common, complaints: [], generatorLoad: 0.1, goals };
}

function growthRow(scenario: string, subject: string, sizes: readonly number[], goals: readonly Goal[]): GrowthRow {
  const points = sizes.map((size, index) => ({ size, p50Ms: 4 + index, p99Ms: 12 + index }));
  const common = { scenario, subject, sizeOf: 'rows', points, unit: 'ms', small: 4, large: 6, ratio: 1.5 } as const;
  return { ...common, note: '', complaints: [], goals };
}

const ENVIRONMENT: BenchReport['environment'] = {
  ...{ processors: 2, processorModel: 'Abacus 3000', memoryMb: 8_192, system: 'Linux 6.1, x64', loadAverage: 0.25 },
  ...{ flushMs: 0.42, node: '20.19.0', postgres: '18.4', redis: 'Redis 7.0.15', packages: { express: '5.3.0' } },
  settings: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', jit: 'off' },
  ...{ commit: 'abcdef0123', hasChanges: false },
};

const COST_GOALS = [
  ...[goalOf('makeLeanAt64', 0.53), goalOf('makeLeanAt256', 0.8), goalOf('acceptLeanAt64', 0.5)],
  ...[goalOf('mixedLeanAt64', 0.6), goalOf('settlementLean', 0.55), goalOf('makeP50At1', 0.9)],
  ...[goalOf('makeSpreadAt64', 2.4), goalOf('makeApiAt256', 230), goalOf('makeApiAt64', 290)],
  ...[goalOf('makeApiAt1', 1_400), goalOf('makePostgresAt256', 80), goalOf('makePostgresAt64', 140)],
  ...[goalOf('makePostgresAt1', 850), goalOf('makeWal', 1_250)],
  ...[goalOf('openBetsByOdds', 12), goalOf('openBetsByAmount', 13)],
  ...[goalOf('historyByOdds', 14), goalOf('historyByAmount', 15)],
];

/** Everything is measured, and two goals are missed: one clearly, one narrowly. */
const REPORT: BenchReport = {
  ...{ startedAt: '2026-01-17T10:20:30.000Z', tookSeconds: 742, ceilingsDrivenBy: 'pgbench', environment: ENVIRONMENT },
  options: { only: [], seconds: 3, quick: false, bets: 100_000 },
  rates: [
    ...['make-offer-hot', 'accept-offer', 'mixed', 'mixed-hot'].flatMap((scenario) =>
      LEVELS.map((connections) => rateRow(scenario, connections)),
    ),
    ...[rateRow('make-offer', 1), rateRow('make-offer', 16)],
    rateRow('make-offer', 64, [goalOf('makeRatioAt64', 0.41), goalOf('makeP99At64', 60.04)]),
    rateRow('make-offer', 256, [goalOf('makeRatioAt256', 0.97), ...COST_GOALS]),
    rateRow('make-keyed', 64, [goalOf('keyedAt64', 0.92)]),
  ],
  growth: [
    growthRow('growth-user', 'make-offer', [1, 100], [goalOf('growthUser', 0.98)]),
    growthRow('growth-database', 'make-offer', [0, 1_000], [goalOf('growthDatabase', 0.87)]),
    growthRow('growth-book', 'accept-offer', [10, 100, 1_000], [goalOf('growthBook', 1.5)]),
    growthRow('growth-lists', 'open-bets, first page', [10, 100], [goalOf('growthOpenBets', 1)]),
    growthRow('growth-lists', 'history, first page', [10, 100], [goalOf('growthHistory', 1)]),
    growthRow('growth-lists', 'transactions, first page', [10, 100], [goalOf('growthTransactions', 1)]),
    growthRow('growth-lists', 'transactions, last page', [10, 100], []),
    growthRow('growth-lists', 'open-bets, by cursor', [10, 100], [goalOf('openBetsByCursor', 4)]),
    growthRow('growth-lists', 'history, by cursor', [10, 100], [goalOf('historyByCursor', 4)]),
    growthRow('growth-lists', 'transactions, by cursor', [10, 100], [goalOf('transactionsByCursor', 4)]),
    growthRow('growth-lists', 'statement', [10, 100], [goalOf('statementPage', 6)]),
    growthRow('growth-lists', 'events', [10, 100], [goalOf('eventPage', 12)]),
    growthRow('growth-book', 'order book', [10, 100], [goalOf('bookOfManyOffers', 5)]),
  ],
  background: [
    {
      ...{ scenario: 'settlement', what: 'a wager of 100,000 bets', unit: 'bets/s', value: 2_812, beside: 4_316 },
      ...{ ratio: 0.65, note: '35 s', complaints: ['409: `<taken>`'] },
      goals: [goalOf('settlement', 0.65), goalOf('workerMemory', 223), goalOf('workerMemoryFlat', 1)],
    },
    {
      ...{
        scenario: 'settlement-beside',
        what: 'make-offer elsewhere',
        unit: 'ms',
        value: 412,
        note: '',
        complaints: [],
      },
      goals: [
        ...[goalOf('besideOffers', 1.63), goalOf('besideInline', 130), goalOf('besideQueued', 643)],
        ...[goalOf('besideOwnOthers', 2.1), goalOf('besideOwnUsers', 900)],
      ],
    },
    {
      ...{ scenario: 'audit', what: 'nightly audit', unit: 'ms', value: 9_000, note: '', complaints: [] },
      goals: [goalOf('nightlyAudit', 9_000), goalOf('portfolioCheck', 400)],
    },
    {
      ...{ scenario: 'exports', what: 'CSV', unit: 'ms', value: 30_000, note: '', complaints: [] },
      goals: [goalOf('exportCsv', 30_000), goalOf('exportCsvMemory', 20), goalOf('exportParquet', 40_000)],
    },
    {
      ...{ scenario: 'streams', what: 'p50', unit: 'ms', value: 9, note: '', complaints: [] },
      goals: [
        goalOf('streamP50', 9),
        goalOf('streamP99', 40),
        goalOf('streamMemory', 41),
        goalOf('streamProcessor', 0.02),
      ],
    },
    {
      ...{ scenario: 'consoles', what: 'make-offer', unit: 'offers/s', value: 2_378, note: '', complaints: [] },
      goals: [goalOf('consoles', 0.98)],
    },
  ],
  memory: { startMb: 105, afterFirstMb: 190, peakMb: 235, endMb: 231, goals: [goalOf('apiMemory', 235)] },
};

const LEVERS = '## What each change gave\n\nA table.';
const page = renderPage(REPORT, LEVERS);

/** The cells of the first table line that begins so. */
function cellsOf(markdown: string, first: string): string[] | undefined {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
  const rows = lines.map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
  return rows.find((cells) => cells[0] === first);
}

describe('the page', () => {
  it('has every goal with its verdict', () => {
    for (const [, { title }] of GOALS) expect(cellsOf(page.markdown, title)?.[4]).toMatch(/^(met|\*\*missed\*\*)$/);
    expect(cellsOf(page.markdown, 'make-offer at 64 connections: rate over the ceiling')).toEqual([
      ...['make-offer at 64 connections: rate over the ceiling', '', 'at least 0.5', '0.41', '**missed**'],
    ]);
    expect(cellsOf(page.markdown, 'Memory of the API, peak')?.slice(2)).toEqual(['at most 250 MB', '235 MB', 'met']);
    expect(cellsOf(page.markdown, 'make-offer at 64 connections: rate over the lean ceiling')?.slice(1)).toEqual([
      ...['0.23', 'at least 0.5', '0.53', 'met'],
    ]);
  });

  it('says at once which goals are missed', () => {
    const top = page.markdown.slice(0, page.markdown.indexOf('## The machine'));
    expect(top).toContain(`Of ${GOALS.length} goals: ${GOALS.length - 2} met, 2 missed.`);
    expect(top).toContain('- **Missed: make-offer at 64 connections: p99: 60.04 ms, the goal is at most 60 ms.**');
    expect(top).toContain('rate over the ceiling: 0.41, the goal is at least 0.5.**');
  });

  it('names machine, versions, settings, date and commit', () => {
    for (const text of ['2026-01-17 at 10:20 UTC, of commit `abcdef0123`,', '12 minutes']) {
      expect(page.markdown).toContain(text);
    }
    expect(cellsOf(page.markdown, 'processors')?.[1]).toBe('2 × Abacus 3000');
    expect(cellsOf(page.markdown, 'PostgreSQL')?.[1]).toBe('18.4');
    expect(cellsOf(page.markdown, '`fsync`')?.[1]).toBe('on');
    expect(page.markdown).toContain('Commits are durable');
    const settings = { ...ENVIRONMENT.settings, fsync: 'off' };
    const unsafe = renderPage(
      { ...REPORT, environment: { ...ENVIRONMENT, settings, hasChanges: true } },
      LEVERS,
    ).markdown;
    expect(unsafe).toContain('**Commits are not durable');
    expect(unsafe).toContain('`abcdef0123` and uncommitted changes');
  });

  it('shows the ceiling beside each rate, and the cost of each size', () => {
    const load = page.markdown.slice(page.markdown.indexOf('## Load'));
    expect(cellsOf(load, 'accept-offer')).toEqual([
      ...['accept-offer', '1', '1,005', '3,000', '0.34', '15.0', '40.1', '400', ''],
    ]);
    expect(page.markdown).toMatch(/\| +1,000 \| +\| +6\.00 \| +14\.0 \| +median 1\.50 \|/);
  });

  it('shows what an operation costs, beside the lean ceiling', () => {
    const costs = page.markdown.slice(page.markdown.indexOf('## Costs of an operation'));
    expect(cellsOf(costs, 'accept-offer')).toEqual([
      ...['accept-offer', '1', '1,005', '5,000', '0.20', '400', '200', '1,234', '40', '25.3'],
    ]);
    expect(costs).toContain(
      'make-offer-hot takes 15.0 ms (p50), and `pgbench -c 1` on the lean tables 1.25 ms (mean).',
    );
    expect(costs).toContain(LEVERS);
  });

  it('refers to every plot, and to no other', () => {
    const referred = [...page.markdown.matchAll(/\]\(performance\/([\w-]+)\.svg\)/g)].map(([, name]) => name);
    expect(referred).toEqual([
      ...['latency-make-offer', 'latency-accept-offer', 'latency-mixed', 'throughput-make-offer', 'throughput-mixed'],
      ...['growth-user', 'growth-database', 'growth-book', 'growth-lists'],
    ]);
    expect(page.plots.map(({ name }) => name)).toEqual(referred);
  });

  it('is the same for the same figures', () => {
    expect(renderPage(JSON.parse(JSON.stringify(REPORT)), LEVERS)).toEqual(page);
  });

  it('says what was not measured', () => {
    const { environment, options, startedAt, tookSeconds, ceilingsDrivenBy } = REPORT;
    const common = { environment, startedAt, tookSeconds, ceilingsDrivenBy, options: { ...options, only: ['growth'] } };
    const { markdown, plots } = renderPage({ ...common, rates: [], growth: [], background: [] }, LEVERS);
    expect(plots).toEqual([]);
    expect(markdown).toContain(`0 met, 0 missed, ${GOALS.length} not measured`);
    for (const [, { title }] of GOALS) expect(cellsOf(markdown, title)?.[4]).toBe('not measured');
    for (const section of ['Costs of an operation', 'Load', 'Growth', 'Settlement and jobs']) {
      expect(markdown).toContain(`## ${section}\n\nNot measured in this run.`);
    }
    expect(markdown).toContain('**Only a part was measured: growth.**');
  });
});

describe('the plots', () => {
  it('leave out what had no answers', () => {
    const rates = REPORT.rates.map((row) =>
      row.connections === 1 ? { ...row, rate: 0, figures: { ...row.figures, p50Ms: 0, p99Ms: 0 } } : row,
    );
    const { plots } = renderPage({ ...REPORT, rates }, LEVERS);
    const latencies = plots.find(({ name }) => name === 'latency-make-offer')?.svg ?? '';
    expect(latencies.match(/(?:>|; )p99 at /g)).toHaveLength(LEVELS.length - 1);
  });

  it.each(page.plots)('$name is well-formed', ({ svg, title }) => {
    expect(faultIn(svg)).toBeUndefined();
    expect(svg).toContain(`<title id="title">${title}</title>`);
    expect(svg).toMatch(/<desc id="description">.+<\/desc>/);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('hold every point of the latencies, higher and further right with more load', () => {
    const svg = svgOf('latency-make-offer');
    expect(svg).toContain('p99 at 64 connections: 46.4 ms, 1,320 operations a second');
    expect([...svg.matchAll(/(?:>|; )p99 at (\d+) /g)].map(([, connections]) => Number(connections))).toEqual(LEVELS);
    const marks = [
      ...svg.matchAll(/<path [^>]*matrix\(4,0,0,4,([\d.]+),([\d.]+)\)" fill="#c2410c"[^>]* ecmeta_ssr_type="chart"/g),
    ];
    expect(marks).toHaveLength(LEVELS.length);
    const places = marks.map(([, x, y]) => [Number(x), Number(y)] as const);
    expect(places.map(([x]) => x)).toEqual(places.map(([x]) => x).toSorted((one, other) => one - other));
    expect(places.map(([, y]) => y)).toEqual(places.map(([, y]) => y).toSorted((one, other) => other - one));
    expect(svg).toContain('goal for p99 at 64 connections: 60 ms');
    expect(svg).toContain('>ceiling<');
  });

  it('hold the hot account beside the others, each with its ceiling', () => {
    const svg = svgOf('throughput-make-offer');
    for (const name of ['10 accounts', 'their ceiling', 'one account', 'its ceiling']) {
      expect(svg).toContain(`>${name}</text>`);
      for (const connections of LEVELS) expect(svg).toContain(`${name} at ${connections} connections: `);
    }
  });

  it('hold every size, and tell the pages of a list apart', () => {
    expect(svgOf('growth-book')).toContain('accept-offer, at 1,000: 6.00 ms');
    const lists = svgOf('growth-lists');
    expect(lists.match(/[\w-]+, (first|last) page, at 10+: /g)).toHaveLength(8);
    expect(lists.match(/stroke-dasharray=/g)).toHaveLength(2); // one line, and its sample in the legend
  });
});

const svgOf = (name: string): string => page.plots.find((plot) => plot.name === name)?.svg ?? '';

/** The faults of a piece of XML, as far as these files can have them. */
function faultIn(xml: string): string | undefined {
  const open: string[] = [];
  const tags = /<(\/?)([a-zA-Z]+)((?: [\w:-]+="[^"<&]*(?:&(?:amp|lt|gt|quot);[^"<&]*)*")*) ?(\/?)>/g;
  const text = xml.replaceAll(tags, (_tag, end: string, name: string, _attributes, alone: string) => {
    if (end === '' && alone === '') open.push(name);
    return end === '' || open.pop() === name ? '' : '<';
  });
  if (open.length > 0) return `not closed: ${open.join(', ')}`;
  return /<|&(?!(?:amp|lt|gt|quot);)/.exec(text)?.[0];
}

describe('the files', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'ledger-page-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are the page and its plots, without those of an earlier page', async () => {
    await mkdir(path.join(folder, 'performance'));
    await writeFile(path.join(folder, 'performance/old.svg'), '');
    expect(await writePage(REPORT, folder)).toBe(path.join(folder, 'performance.md'));
    expect(await readFile(path.join(folder, 'performance.md'), 'utf8')).toBe(
      renderPage(REPORT, await readLevers()).markdown,
    );
    const names = page.plots.map(({ name }) => `${name}.svg`);
    expect((await readdir(path.join(folder, 'performance'))).toSorted()).toEqual(names.toSorted());
  });

  it('come from saved figures too, of this version', async () => {
    const file = path.join(folder, 'figures.json');
    await writeFile(file, JSON.stringify(REPORT));
    expect(renderPage(await readReport(file), LEVERS)).toEqual(page);
    await writeFile(file, '{"rates": []}');
    await expect(readReport(file)).rejects.toThrow('holds no figures of this version');
    await expect(readReport(`${file}.not`)).rejects.toThrow('cannot be read');
  });
});
