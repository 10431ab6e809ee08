import { applyMigrations } from '#platform/database/migrations.js';
import { runCommand } from './run-command.js';

await runCommand(async ({ databaseUrl, print }) => {
  const applied = await applyMigrations(databaseUrl, print);
  print(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
});
