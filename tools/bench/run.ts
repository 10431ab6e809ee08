import { findProgram } from '#tools/services/run-program.js';
import { measureAudit } from './audit.js';
import type { Bench } from './bench.js';
import { measureConsoles } from './consoles.js';
import { type Environment, readEnvironment } from './environment.js';
import { measureExports } from './exports.js';
import { measureGrowth } from './growth.js';
import { measureJobs } from './jobs.js';
import { startLoadProcess } from './load-process.js';
import type { BenchOptions } from './options.js';
import { type BenchReport, complaintsOf, type Print } from './report.js';
import { measureRates } from './scenarios.js';
import { withServices } from './services.js';
import { measureSettlement } from './settlement.js';
import { measureStreams } from './streams.js';
import { measureTenants } from './tenants.js';

export interface RunOptions {
  readonly options: BenchOptions;
  /** The root of the repository. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly print: Print;
  readonly stopping: AbortSignal;
}

/** Measures what the options ask for. */
export async function runBench({ options, root, env, print, stopping }: RunOptions): Promise<BenchReport> {
  const startedAt = new Date();
  const ceilingsDrivenBy = (await findProgram('pgbench')) === undefined ? 'the pg driver' : 'pgbench';
  const figures: Bench['figures'] = { rates: [], growth: [], background: [] };
  const load = await startLoadProcess();
  let environment: Environment | undefined;
  try {
    await withServices({ env, print, stopping }, async (services) => {
      environment = await readEnvironment({ root, ...services });
      printHead(print, { options, environment, ceilingsDrivenBy });
      const bench: Bench = { options, services, load, print, figures };
      const stopped = new Promise<never>((_resolve, reject) => {
        const stop = () => reject(new Error('Stopped.'));
        stopping.addEventListener('abort', stop, { once: true });
        if (stopping.aborted) stop();
      });
      await Promise.race([measureAll(bench), stopped]);
    });
  } finally {
    await load.stop();
  }
  if (environment === undefined) throw new Error('Nothing was measured.');
  const tookSeconds = Math.round((Date.now() - startedAt.getTime()) / 1_000);
  const { only, seconds, quick, bets } = options;
  const run = { startedAt: startedAt.toISOString(), tookSeconds, options: { only, seconds, quick, bets } };
  const report: BenchReport = { ...run, ceilingsDrivenBy, environment, ...figures };
  for (const complaint of complaintsOf(report)) print(`  ${complaint}`);
  print(`Took ${tookSeconds} s.`);
  return report;
}

function printHead(
  print: Print,
  { options, environment, ceilingsDrivenBy }: Pick<BenchReport, 'options' | 'environment' | 'ceilingsDrivenBy'>,
): void {
  const machine = `${environment.processors} processors, Node ${environment.node}`;
  const ceilings = `ceilings by ${ceilingsDrivenBy}, 32 clients, one operation a transaction`;
  print(`Each figure over ${options.seconds} s on ${machine}; ${ceilings}.`);
}

async function measureAll(bench: Bench): Promise<void> {
  await measureRates(bench);
  await measureGrowth(bench);
  await measureSettlement(bench);
  await measureJobs(bench);
  await measureAudit(bench);
  await measureTenants(bench);
  await measureExports(bench);
  await measureStreams(bench);
  await measureConsoles(bench);
}
