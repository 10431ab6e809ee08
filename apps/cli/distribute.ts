import { distributeDatabase } from '#platform/database/migrations.js';
import { assertMigrated } from '#platform/process/start-checks.js';
import { runCommand } from './run-command.js';

await runCommand(async ({ databaseUrl, print }) => {
  await assertMigrated(databaseUrl);
  const changes = await distributeDatabase(databaseUrl, print);
  if (changes === 0) print('Everything is distributed already.');
});
