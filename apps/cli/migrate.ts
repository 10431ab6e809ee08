import { applyMigrations } from '#platform/database/migrations.js';
import { runCommand } from './run-command.js';

await runCommand(async ({ databaseUrl, print }) => {
  // Its lock belongs to a connection, so a pooler must not stand between.
  const applied = await applyMigrations(process.env.DATABASE_LISTEN_URL || databaseUrl, print);
  print(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
});
