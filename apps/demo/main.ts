import { onceOrphaned } from '#process/once-orphaned.js';
import { StartError } from '#services/start-error.js';
import { FailedCall } from './demo-api.js';
import { readOptions, USAGE } from './options.js';
import { runDemo } from './run.js';

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
  const { DATA_DIR: dataDir, NODE_ENV, PATH } = process.env;
  if (NODE_ENV === 'production') {
    throw new StartError('The demo makes up accounts, an admin among them, and money: it does not run in production.');
  }
  if (!dataDir) throw new StartError('DATA_DIR is not set: start the demo with `npm run demo`.');
  const isSound = await runDemo({
    options,
    dataDir,
    path: PATH,
    screen: process.stdout,
    stopping: stopping.signal,
  });
  return isSound ? 0 : 1;
}

try {
  process.exit(await main());
} catch (error) {
  const isForPeople = error instanceof StartError || error instanceof FailedCall;
  if (stopping.signal.aborted) console.error('\nStopped.');
  else console.error(isForPeople ? `\n${error.message}\n` : error);
  process.exit(1);
}
