import { StartError } from '#platform/errors/start-error.js';
import { runTool } from '#tools/shared/run-tool.js';
import { isFailedCall } from './demo-client.js';
import { readOptions } from './options.js';
import { runDemo } from './run.js';

async function main(stopping: AbortSignal): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const { DATA_DIR: dataDir, NODE_ENV, PATH } = process.env;
  if (NODE_ENV === 'production') {
    throw new StartError('The demo invents accounts, an admin among them, and money: it does not run in production.');
  }
  if (!dataDir) throw new StartError('DATA_DIR is not set: start the demo with `npm run demo`.');
  const isSound = await runDemo({ options, dataDir, path: PATH, screen: process.stdout, stopping });
  return isSound ? 0 : 1;
}

await runTool({
  main,
  npmEvent: process.env.npm_lifecycle_event,
  isForUser: isFailedCall,
});
