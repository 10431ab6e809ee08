import { runCommand } from '#apps/cli/run-command.js';
import { withEmptyDatabase } from '#platform/database/empty-database.js';
import { describeDrift } from '#platform/database/migrations.js';
import { StartError } from '#platform/errors/start-error.js';

await runCommand(async ({ databaseUrl, print }) => {
  const drift = await withEmptyDatabase(databaseUrl, describeDrift);
  if (drift !== '') throw new StartError(`The migrations do not build schema.prisma. Still needed:\n${drift}`);
  print('The migrations build exactly schema.prisma.');
});
