import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runTool } from '#tools/shared/run-tool.js';
import { readOptions } from './options.js';
import { runBench } from './run.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const print = (line: string) => console.log(line);

async function main(stopping: AbortSignal): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const report = await runBench({ options, root, env: process.env, print, stopping });
  if (options.jsonFile !== undefined) await writeFile(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  return 0;
}

await runTool({ main, npmEvent: process.env.npm_lifecycle_event });
