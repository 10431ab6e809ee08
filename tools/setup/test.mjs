// Runs the compiled tests: `npm test` without the long ones, `npm run test:all`, or `npm test -- users` for those whose path holds
// "users". The last line counts them.

import { runTests } from './run-tests.mjs';
import { runMain, setUp } from './setup.mjs';

await runMain(async () => {
  await setUp();
  return runTests(process.argv.slice(2));
});
