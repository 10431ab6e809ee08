import { runMain, setUp } from './setup.mjs';

await runMain(async () => {
  await setUp();
  await import('../dist/apps/launcher/main.js');
});
