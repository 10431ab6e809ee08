// Writes docs/openapi.json and the types of the client anew, from what the endpoints say about themselves.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root, runMain, setUp } from './setup.mjs';

const command = path.join(root, 'build/tools/client/generate-client.js');

await runMain(async () => {
  try {
    await setUp();
  } catch (error) {
    // Whoever changes an endpoint may leave users of the client behind that do not fit any more: the compiler says so,
    // but has written its output, and the new types are what helps.
    if (!existsSync(command)) throw error;
    console.error(error.message);
  }
  return spawnSync(process.execPath, [command], { cwd: root, stdio: 'inherit' }).status ?? 1;
});
