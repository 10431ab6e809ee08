import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runCommand } from '#apps/cli/run-command.js';
import { withEmptyDatabase } from '#platform/database/empty-database.js';
import { applyMigrations, describeDrift } from '#platform/database/migrations.js';
import { StartError } from '#platform/errors/start-error.js';
import { readCatalogue } from './catalogue.js';

const catalogueFile = fileURLToPath(new URL('../../../prisma/catalogue.txt', import.meta.url));

/** Of a migrated database. */
const catalogueOf = (databaseUrl: string): Promise<string> =>
  withEmptyDatabase(databaseUrl, async (url) => {
    await applyMigrations(url);
    return readCatalogue(url);
  });

await runCommand(async ({ databaseUrl, print }) => {
  const drift = await withEmptyDatabase(databaseUrl, describeDrift);
  if (drift !== '') throw new StartError(`The migrations do not build schema.prisma. Still needed:\n${drift}`);
  const catalogue = await catalogueOf(databaseUrl);
  if (catalogue !== (await readFile(catalogueFile, 'utf8'))) {
    await writeFile(catalogueFile, catalogue);
    throw new StartError(
      'The catalogue was another than prisma/catalogue.txt said. Read what git shows of it, and commit it.',
    );
  }
  print('The migrations build exactly schema.prisma and prisma/catalogue.txt.');
});
