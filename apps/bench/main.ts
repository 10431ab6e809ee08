import { StartError } from '#services/start-error.js';
import { readOptions, USAGE } from './options.js';
import { runBench } from './run.js';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
// Piped into something that has seen enough.
process.stdout.on('error', () => stopping.abort());

try {
  const options = readOptions(process.argv.slice(2));
  const print = (line: string) => console.log(line);
  if (options === undefined) print(USAGE);
  else await runBench({ options, env: process.env, print, stopping: stopping.signal });
  process.exit(0);
} catch (error) {
  if (stopping.signal.aborted) console.error('Stopped.');
  else console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
