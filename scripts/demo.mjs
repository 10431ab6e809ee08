// Plays a betting evening: `npm run demo -- --help`.

import path from 'node:path';
import { root, runMain, setUp } from './setup.mjs';

await runMain(async () => {
  await setUp();
  process.env.DATA_DIR = path.resolve(root, process.env.DATA_DIR || '.data');
  await import('../dist/apps/demo/main.js');
});
