import { admitApplication, applyMigrations } from '#platform/database/migrations.js';
import { assertMigrated } from '#platform/process/start-checks.js';
import { runCommand } from './run-command.js';

await runCommand(async ({ databaseUrl, print }) => {
  const ownerUrl = process.env.MIGRATE_DATABASE_URL;
  // Its lock belongs to a connection, so a pooler must not stand between.
  const applied = await applyMigrations(ownerUrl || process.env.DATABASE_LISTEN_URL || databaseUrl, print);
  if (ownerUrl) {
    await admitApplication(ownerUrl, databaseUrl);
    await assertMigrated(databaseUrl);
  }
  print(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
});
