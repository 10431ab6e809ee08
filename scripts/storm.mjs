// Breaks everything but the books: `npm run storm -- --help`.

import { runMain, setUp } from './setup.mjs';

await runMain(async () => {
  await setUp();
  await import('../dist/apps/storm/main.js');
});
