// Measures the API beside what its database could do at best: `npm run bench -- --help`.

import { runMain, setUp } from './setup.mjs';

await runMain(async () => {
  await setUp();
  await import('../dist/apps/bench/main.js');
});
