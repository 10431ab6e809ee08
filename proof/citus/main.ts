import { runTool } from '#tools/shared/run-tool.js';
import { measure } from './measure.js';
import { readOptions } from './options.js';
import { runProof } from './run-proof.js';

await runTool({
  async main(stopping) {
    const options = readOptions(process.argv.slice(2));
    const setting = { options, stopping, env: process.env, print: (line: string) => console.log(line) };
    if (options.plainUrl === undefined) return (await runProof(setting)) ? 0 : 1;
    await measure(setting, options.plainUrl);
    return 0;
  },
  npmEvent: process.env.npm_lifecycle_event,
});
