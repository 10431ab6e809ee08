import { onceOrphaned } from '#process/once-orphaned.js';
import { StartError } from '#services/start-error.js';
import { readOptions, USAGE } from './options.js';
import { runStorm } from './run.js';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
if (process.env.npm_lifecycle_event !== undefined) onceOrphaned(() => stopping.abort());
// Piped into something that has seen enough.
process.stdout.on('error', () => stopping.abort());

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    console.log(USAGE);
    return 0;
  }
  const { findings } = await runStorm({ options, screen: process.stdout, stopping: stopping.signal });
  return findings.length === 0 ? 0 : 1;
}

try {
  process.exit(await main());
} catch (error) {
  if (stopping.signal.aborted) console.error('\nStopped.');
  else console.error(error instanceof StartError ? `\n${error.message}\n` : error);
  process.exit(1);
}
