import { rm } from 'node:fs/promises';
import type { PrivateService } from '#tools/services/service-process.js';
import { runOnce, type TestDatabase } from './databases.js';

/** The global setup passes its servers to the teardown: both run in the same process. */
export const testRun: {
  folder?: string;
  postgres?: PrivateService;
  redis?: PrivateService;
  pgbouncer?: PrivateService;
  template?: TestDatabase;
} = {};

// biome-ignore lint/style/noDefaultExport: Jest requires it
export default async function globalTeardown(): Promise<void> {
  await testRun.pgbouncer?.stop();
  await testRun.template?.drop();
  await dropRole();
  await testRun.redis?.stop();
  await testRun.postgres?.stop();
  if (testRun.folder !== undefined) await rm(testRun.folder, { recursive: true, force: true });
}

/** A server of somebody else keeps nothing of the run; a private one goes with its folder. */
async function dropRole(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: set by the global setup
  const { TEST_APPLICATION_ROLE: role, TEST_SERVER_URL: serverUrl } = process.env;
  if (role && serverUrl && testRun.postgres === undefined) await runOnce(serverUrl, `DROP ROLE IF EXISTS ${role}`);
}
