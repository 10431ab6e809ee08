import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { findProgram } from '#services/run-command.js';
import type { Bench } from './bench.js';
import { measureGrowth } from './growth.js';
import { measureJobs } from './jobs.js';
import { startLoadProcess } from './load-process.js';
import type { BenchOptions } from './options.js';
import type { Print } from './report.js';
import { measureRates } from './scenarios.js';
import { withServices } from './services.js';
import { measureSettlement } from './settlement.js';

export interface RunOptions {
  readonly options: BenchOptions;
  readonly env: NodeJS.ProcessEnv;
  readonly print: Print;
  readonly stopping: AbortSignal;
}

export async function runBench({ options, env, print, stopping }: RunOptions): Promise<void> {
  const startedAt = new Date();
  const driver = (await findProgram('pgbench')) === undefined ? 'pg driver' : 'pgbench';
  const machine = `${os.cpus().length} processors, Node ${process.versions.node}`;
  print(
    `Each figure over ${options.seconds} s on ${machine}; ceilings by ${driver}, 32 clients, one operation a transaction.`,
  );
  const figures: Bench['figures'] = { rates: [], growth: [], background: [] };
  const load = await startLoadProcess();
  try {
    await withServices({ env, print, stopping }, async (services) => {
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
  const complaints = new Set(
    [...figures.rates, ...figures.growth, ...figures.background].flatMap((row) => row.complaints),
  );
  for (const complaint of complaints) print(`  ${complaint}`);
  const tookSeconds = Math.round((Date.now() - startedAt.getTime()) / 1_000);
  print(`Took ${tookSeconds} s.`);
  if (options.jsonFile === undefined) return;
  const report = { startedAt, tookSeconds, machine, ceilingsDrivenBy: driver, options, ...figures };
  await writeFile(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
}

async function measureAll(bench: Bench): Promise<void> {
  await measureRates(bench);
  await measureGrowth(bench);
  await measureSettlement(bench);
  await measureJobs(bench);
}
