import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from '#tools/shared/run-tool.js';
import { readOptions, USAGE } from './options.js';
import { readReport, writePage } from './page/files.js';
import { runBench } from './run.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const print = (line: string) => console.log(line);

async function main(stopping: AbortSignal): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    print(USAGE);
    return 0;
  }
  const { fromFile, jsonFile } = options;
  const report =
    fromFile === undefined
      ? await runBench({ options, root, env: process.env, print, stopping })
      : await readReport(fromFile);
  if (jsonFile !== undefined) await writeFile(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  if (options.report) print(`Written: ${await writePage(report, path.join(root, 'docs'))}`);
  return 0;
}

await runTool({ main, npmEvent: process.env.npm_lifecycle_event });
