import { rm } from 'node:fs/promises';
import { testRun } from './test-run.js';

// biome-ignore lint/style/noDefaultExport: Jest requires it
export default async function globalTeardown(): Promise<void> {
  await testRun.pgbouncer?.stop();
  await testRun.template?.drop();
  await testRun.redis?.stop();
  await testRun.postgres?.stop();
  if (testRun.folder !== undefined) await rm(testRun.folder, { recursive: true, force: true });
}
