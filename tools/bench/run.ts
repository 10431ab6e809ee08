import os from 'node:os';
import { StartError } from '#platform/errors/start-error.js';
import type { Bench, Figures, Measurement, Print, Scenario } from './bench.js';
import { besideCeiling, verdictsOf } from './goals.js';
import { openLeanCeiling } from './lean-ceiling.js';
import { listsScenario } from './lists.js';
import { LOAD_SCENARIOS } from './load-scenarios.js';
import type { BenchOptions } from './options.js';
import { type Comparison, comparisonLine, figuresLine, goalLines } from './report.js';
import { withServices } from './services.js';
import { settlementScenario } from './settlement.js';
import { streamsScenario } from './streams.js';
import { tenantsScenario } from './tenants.js';

const SCENARIOS = [...LOAD_SCENARIOS, settlementScenario, listsScenario, tenantsScenario, streamsScenario];

export interface RunOptions {
  readonly options: BenchOptions;
  /** The root of the repository. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly print: Print;
  readonly stopping: AbortSignal;
}

/** Measures what the options ask for. */
export async function runBench({ options, root, env, print, stopping }: RunOptions) {
  const startedAt = new Date().toISOString();
  const { only } = options;
  const wanted = SCENARIOS.filter(({ name }) => only.length === 0 || only.some((start) => name.startsWith(start)));
  if (wanted.length === 0) throw new StartError(`The scenarios are ${SCENARIOS.map(({ name }) => name).join(', ')}.`);
  const machine = `${os.cpus().length} × ${os.cpus()[0]?.model.trim()}, Node ${process.versions.node}, load ${os.loadavg()[0]}`;
  print(`Each figure over ${options.seconds} s on ${machine}.`);
  const figures = new Map<string, Figures>();
  const comparisons: Comparison[] = [];
  await withServices({ env, print, stopping }, async (services) => {
    const bench = { options, services };
    const measureAll = async () => {
      if (options.against === undefined) await measureOne(bench, { root, wanted, print, figures });
      else comparisons.push(...(await measurePair(bench, { root, against: options.against, wanted, print })));
    };
    const stopped = new Promise<never>((_resolve, reject) => {
      const stop = () => reject(new Error('Stopped.'));
      stopping.addEventListener('abort', stop, { once: true });
      if (stopping.aborted) stop();
    });
    await Promise.race([measureAll(), stopped]);
  });
  const goals = options.against === undefined ? verdictsOf(figures) : [];
  for (const line of goalLines(goals)) print(line);
  return { startedAt, options, machine, figures: Object.fromEntries(figures), goals, comparisons };
}

type Work = Pick<RunOptions, 'root' | 'print'> & { readonly wanted: readonly Scenario[] };

async function measureOne(bench: Bench, { root, wanted, print, figures }: Work & { figures: Map<string, Figures> }) {
  const build = await bench.services.openBuild('own', root);
  const lean = await openLeanCeiling(await bench.services.createBareDatabase('lean'), bench.options);
  for (const scenario of wanted) {
    const { measure, close } = await scenario.prepare(bench, build);
    // Between two measurements of the ceiling, so that other work of the machine slows down all of them.
    const before = await scenario.ceiling?.(lean, bench.options);
    const alone = await measure();
    const measured = besideCeiling(alone, [before, await scenario.ceiling?.(lean, bench.options)]);
    await close();
    figures.set(scenario.name, measured);
    print(figuresLine(scenario.name, measured));
  }
}

/** Prints the ratios of each figure on this build to those on the other one. */
async function measurePair(bench: Bench, { root, against, wanted, print }: Work & { against: string }) {
  const { services, options } = bench;
  const builds = [await services.openBuild('own', root), await services.openBuild('other', against)];
  const comparisons: Comparison[] = [];
  print(`This build over that of ${against}: median of ${options.rounds} rounds, least and most.`);
  for (const scenario of wanted) {
    const sides: Side[] = [];
    for (const build of builds) sides.push({ measurement: await scenario.prepare(bench, build), rounds: [] });
    await measureInTurns(sides, options.rounds);
    const [own = [], other = []] = sides.map(({ rounds }) => rounds);
    for (const figure of Object.keys(own[0] ?? {})) {
      const ratios = own.map((figures, round) => (figures[figure] ?? NaN) / (other[round]?.[figure] ?? NaN));
      comparisons.push({ scenario: scenario.name, figure, ratios });
      print(comparisonLine({ scenario: scenario.name, figure, ratios }));
    }
  }
  return comparisons;
}

interface Side {
  readonly measurement: Measurement;
  readonly rounds: Figures[];
}

/** The order alternates: the state of the machine drifts within a round. */
async function measureInTurns(sides: readonly Side[], count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    for (const { measurement, rounds } of round % 2 === 0 ? sides : sides.toReversed()) {
      rounds.push(await measurement.measure());
    }
  }
  for (const { measurement } of sides) await measurement.close();
}
