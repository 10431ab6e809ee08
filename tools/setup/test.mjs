// Runs the compiled tests: `npm test`, or `npm test -- users` for those whose path holds "users".

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root, runMain, setUp } from './setup.mjs';

await runMain(async () => {
  await setUp();
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const args = [jest, '--config', 'build/jest.config.js', ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  // A Ctrl-C at the terminal reaches Jest too, which stops the services of its setup.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  return code ?? 1;
});
