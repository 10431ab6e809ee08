import { runTool } from '#tools/shared/run-tool.js';
import { readOptions } from './options.js';
import { runStorm } from './run-storm.js';

async function main(stopping: AbortSignal): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const { findings } = await runStorm({ options, screen: process.stdout, stopping });
  return findings.length === 0 ? 0 : 1;
}

await runTool({ main, npmEvent: process.env.npm_lifecycle_event });
