import { withEmptyDatabase } from '#database/empty-database.js';
import { describeDrift } from '#database/migrations.js';
import { StartError } from '#services/start-error.js';
import { runCommand } from './run-command.js';

await runCommand(async ({ databaseUrl, print }) => {
  const drift = await withEmptyDatabase(databaseUrl, describeDrift);
  if (drift !== '') throw new StartError(`The migrations do not build schema.prisma. Still needed:\n${drift}`);
  print('The migrations build exactly schema.prisma.');
});
