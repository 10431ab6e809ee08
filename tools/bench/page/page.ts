import { whole } from '#tools/shared/command-line.js';
import type { Environment } from '../environment.js';
import { milliseconds, ratioText } from '../format-numbers.js';
import { measuredText, wantedText } from '../goals.js';
import { type BenchReport, complaintsOf } from '../report.js';
import { markdownTable } from './markdown.js';
import { drawPlots, type Plot } from './plots.js';
import {
  backgroundTable,
  costTable,
  goalTable,
  growthTable,
  judge,
  labelTable,
  memoryTable,
  rateTable,
  type Verdicts,
} from './tables.js';

export interface Page {
  readonly markdown: string;
  readonly plots: readonly Plot[];
}

/** The folder of the plots, beside the page. */
export const PLOT_FOLDER = 'performance';

const NOT_MEASURED = 'Not measured in this run.';
/** The mixed load that is shown by kind of request: neither idle nor saturated. */
const LABELLED = { scenario: 'mixed', connections: 64 };

/** Renders the page from the figures of one run. `levers`: the table of what each change gave, which no run measures. */
export function renderPage(report: BenchReport, levers: string): Page {
  const plots = drawPlots(report);
  const sections = [
    ...introduction(report),
    ...goals(judge(report)),
    ...machine(report),
    ...costs(report),
    levers.trim(),
    ...load(report, plots.latency, plots.throughput),
    ...growth(report, plots.growth),
    ...background(report),
    ...repeat(report),
  ];
  return { markdown: `${sections.join('\n\n')}\n`, plots: Object.values(plots).flat() };
}

function introduction({ startedAt, tookSeconds, options, environment }: BenchReport): string[] {
  const { commit, hasChanges } = environment;
  const day = `${startedAt.slice(0, 10)} at ${startedAt.slice(11, 16)} UTC`;
  const of = commit === undefined ? '' : `, of commit \`${commit}\`${hasChanges ? ' and uncommitted changes' : ''}`;
  return [
    '<!-- Written by `npm run bench -- --report`: change tools/bench/page, not this. -->',
    '# Performance',
    `Measured on ${day}${of}, in ${Math.round(tookSeconds / 60)} minutes. How, and what every scenario and ceiling is, stands in
[performance-method.md](performance-method.md).`,
    ...(options.quick ? ['**A quick run: these figures are rough, and sizes a tenth of the usual.**'] : []),
    ...(options.only.length > 0 ? [`**Only a part was measured: ${options.only.join(', ')}.**`] : []),
  ];
}

function goals(verdicts: Verdicts): string[] {
  const { met, missed, unknown } = verdicts;
  const counts = [
    `${met.length} met`,
    `${missed.length} missed`,
    ...(unknown.length === 0 ? [] : [`${unknown.length} not measured`]),
  ];
  const list = missed.map(
    (goal) => `- **Missed: ${goal.title}: ${measuredText(goal)}, the goal is ${wantedText(goal)}.**`,
  );
  const total = met.length + missed.length + unknown.length;
  return [
    '## Goals',
    `Of ${total} goals: ${counts.join(', ')}.`,
    ...(list.length === 0 ? [] : [list.join('\n')]),
    goalTable(verdicts),
  ];
}

function machine({ environment, ceilingsDrivenBy, rates }: BenchReport): string[] {
  const { node, postgres, redis, packages, settings, processors, processorModel, memoryMb } = environment;
  const facts = [
    ['processors', `${processors} × ${processorModel}`],
    ['memory', `${(memoryMb / 1_024).toFixed(1)} GB`],
    ['system', environment.system],
    ['load average before the run', environment.loadAverage.toFixed(2)],
    ['8 KiB written and flushed to its disk, median', `${milliseconds(environment.flushMs)} ms`],
    ['Node.js', node],
    ['PostgreSQL', postgres],
    ['Redis', redis],
    [
      'npm packages',
      Object.entries(packages)
        .map((entry) => entry.join(' '))
        .join(', '),
    ],
    ['ceilings are driven by', ceilingsDrivenBy],
  ];
  const durability = Object.entries(settings).map(([name, value]) => [`\`${name}\``, value]);
  return [
    '## The machine',
    'API, worker, PostgreSQL, Redis and the load generator share it.',
    markdownTable([{ head: 'what' }, { head: 'value' }], facts),
    ...steadiness(rates),
    durabilityText(settings),
    markdownTable([{ head: 'setting' }, { head: 'value' }], durability),
  ];
}

const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes'];

function durabilityText(settings: Environment['settings']): string {
  return DURABLE.every((name) => settings[name] === 'on')
    ? 'Commits are durable: a bet that was answered survives a crash. What the running PostgreSQL says of it:'
    : '**Commits are not durable: these figures are not those of a ledger.** What the running PostgreSQL says of it:';
}

/** Scenarios with the same ceiling, measured at different times. */
const SAME_CEILING = ['make-offer', 'make-keyed', 'batch'];

function steadiness(rates: BenchReport['rates']): string[] {
  const ceilings = rates.flatMap(({ scenario, ceiling }) =>
    ceiling === undefined || !SAME_CEILING.includes(scenario) ? [] : [ceiling.rate],
  );
  if (ceilings.length === 0) return [];
  const [least, most] = [Math.min(...ceilings), Math.max(...ceilings)];
  return [
    `How steady it was: the ceiling of make-offer, measured ${ceilings.length} times over the run, lay between ${whole(least)} and
${whole(most)} a second (${ratioText(least / most)}). Compare ratios rather than rates.`,
  ];
}

/** Of the time at one connection, for the goal of its median. */
function singleText({ rates }: BenchReport): string[] {
  const row = rates.find(({ lean }) => lean?.singleMs !== undefined);
  if (row?.lean?.singleMs === undefined) return [];
  const [own, lean] = [row.figures.p50Ms, row.lean.singleMs].map(milliseconds);
  return [
    `At one connection, ${row.scenario} takes ${own} ms (p50), and \`pgbench -c 1\` on the lean tables ${lean} ms (mean).`,
  ];
}

function costs(report: BenchReport): string[] {
  return [
    '## Costs of an operation',
    ...(report.rates.length === 0
      ? [NOT_MEASURED]
      : [
          `The lean ceiling does the same on tables without any index, constraint or total that it can do without
(\`tools/bench/lean-ceiling.sql\`). WAL is the write-ahead log without the images of whole pages. A group is one
transaction of the ledger.`,
          costTable(report.rates),
          ...singleText(report),
        ]),
  ];
}

const image = ({ name, title }: Plot) => `![${title}](${PLOT_FOLDER}/${name}.svg)`;

function load({ rates, memory }: BenchReport, latency: readonly Plot[], throughput: readonly Plot[]): string[] {
  if (rates.length === 0) return ['## Load', NOT_MEASURED];
  const mixed = rates.find(
    ({ scenario, connections }) => scenario === LABELLED.scenario && connections === LABELLED.connections,
  );
  return [
    '## Load',
    'Every connection has one request under way at any time: more connections are more load.',
    ...latency.map(image),
    rateTable(rates),
    ...(throughput.length === 0 ? [] : ['### One hot account', ...throughput.map(image)]),
    ...(mixed?.byLabel === undefined
      ? []
      : [`### Mixed load at ${LABELLED.connections} connections, by kind of request`, labelTable(mixed.byLabel)]),
    '### Memory of the API',
    memory === undefined ? NOT_MEASURED : memoryTable(memory),
  ];
}

function growth({ growth: rows }: BenchReport, plots: readonly Plot[]): string[] {
  if (rows.length === 0) return ['## Growth', NOT_MEASURED];
  return [
    '## Growth',
    'The same request as its surroundings grow: what is flat costs the same at any size.',
    ...plots.flatMap((plot) => {
      const itsRows = rows.filter(({ scenario }) => scenario === plot.name);
      return [`### ${plot.title}`, image(plot), growthTable(itsRows)];
    }),
  ];
}

function background({ background: rows }: BenchReport): string[] {
  const text = 'Each figure stands beside the ceiling, the same at rest, or a worker whose jobs do nothing.';
  return ['## Settlement and jobs', ...(rows.length === 0 ? [NOT_MEASURED] : [text, backgroundTable(rows)])];
}

function repeat(report: BenchReport): string[] {
  const { quick, seconds, bets } = report.options;
  const options = [...(quick ? ['--quick'] : []), `--seconds ${seconds}`, `--bets ${bets}`];
  const complaints = [...complaintsOf(report)];
  return [
    ...(complaints.length === 0
      ? []
      : [
          '## Answers other than 2xx, some of them',
          complaints.map((text) => `- \`${text.replaceAll('`', "'")}\``).join('\n'),
        ]),
    '## Once more',
    `\`\`\`
npm run bench -- --report ${options.join(' ')}
npm run bench -- --help
\`\`\``,
  ];
}
