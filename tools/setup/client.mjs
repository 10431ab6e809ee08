// Writes docs/openapi.json and the types of the client from the endpoints.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root, runMain, setUp } from './setup.mjs';

const command = path.join(root, 'build/tools/client/generate-client.js');

await runMain(async () => {
  try {
    await setUp();
  } catch (error) {
    // After a change of an endpoint, users of the client may not compile. The compiler has written its output all the same,
    // and the new types are needed to correct them.
    if (!existsSync(command)) throw error;
    console.error(error.message);
  }
  return spawnSync(process.execPath, [command], { cwd: root, stdio: 'inherit' }).status ?? 1;
});
