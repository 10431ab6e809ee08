import { admitApplication, applyMigrations } from '#platform/database/migrations.js';
import { StartError } from '#platform/errors/start-error.js';
import { assertMigrated } from '#platform/process/start-checks.js';
import { runCommand } from './run-command.js';

/** For a way back, when no process of the later release runs any more. */
const REPLACES_LATER = '--functions';

await runCommand(async ({ databaseUrl, args, print }) => {
  if (args.some((arg) => arg !== REPLACES_LATER)) throw new StartError(`Usage: npm run migrate [-- ${REPLACES_LATER}]`);
  const ownerUrl = process.env.MIGRATE_DATABASE_URL;
  // Its lock belongs to a connection, so a pooler must not stand between.
  const applied = await applyMigrations(ownerUrl || process.env.DATABASE_LISTEN_URL || databaseUrl, {
    report: print,
    replacesLater: args.includes(REPLACES_LATER),
  });
  if (ownerUrl) {
    await admitApplication(ownerUrl, databaseUrl);
    await assertMigrated(databaseUrl);
  }
  print(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
});
