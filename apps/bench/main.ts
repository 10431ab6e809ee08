import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '#services/start-error.js';
import { readOptions, USAGE } from './options.js';
import { readReport, writePage } from './page/files.js';
import { runBench } from './run.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
// Piped into something that has seen enough.
process.stdout.on('error', () => stopping.abort());

const print = (line: string) => console.log(line);

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) return print(USAGE);
  const { fromFile, jsonFile } = options;
  const report =
    fromFile === undefined
      ? await runBench({ options, root, env: process.env, print, stopping: stopping.signal })
      : await readReport(fromFile);
  if (jsonFile !== undefined) await writeFile(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  if (options.report) print(`Written: ${await writePage(report, path.join(root, 'docs'))}`);
}

try {
  await main();
  process.exit(0);
} catch (error) {
  if (stopping.signal.aborted) console.error('Stopped.');
  else console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
