// Random histories of the core beside a naive second ledger: `npm run simulate -- --help`.

import { runMain, setUp } from './setup.mjs';

await runMain(async () => {
  await setUp();
  await import('../dist/apps/simulation/main.js');
});
