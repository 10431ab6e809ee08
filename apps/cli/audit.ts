import { runAudit } from '#audit/audit.js';
import { differencesIn, textOf } from '#audit/report.js';
import { openDatabase } from '#platform/database/database.js';
import { StartError } from '#platform/errors/start-error.js';
import { assertMigrated } from '#platform/process/start-checks.js';
import { runCommand } from './run-command.js';

/** The audit has no result: neither that the books balance nor that they differ. */
const COULD_NOT_RUN = 2;
let exitCode = COULD_NOT_RUN;

await runCommand(async ({ databaseUrl, args, print }) => {
  if (args.length > 0) throw new StartError('Usage: npm run audit');
  await assertMigrated(databaseUrl);
  const database = openDatabase({ url: databaseUrl, connections: 1, onConnectionError: () => undefined });
  try {
    const report = await runAudit(database);
    print(textOf(report));
    exitCode = differencesIn(report.findings) === 0 ? 0 : 1;
  } finally {
    await database.$disconnect();
  }
});
process.exitCode = exitCode;
