import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runCommand } from '#apps/cli/run-command.js';
import { rowTypes } from '#ledger/row-types.js';
import { withEmptyDatabase } from '#platform/database/empty-database.js';
import { EDITION_FILE, editionText } from '#platform/database/functions.js';
import { applyMigrations, describeDrift } from '#platform/database/migrations.js';
import { StartError } from '#platform/errors/start-error.js';
import { readCatalogue } from './catalogue.js';

const TYPES = `-- The rows that prisma/functions take and return, as libs/ledger/row-types.ts describes them.

${rowTypes.map(({ definition }) => definition).join('\n\n')}
`;

/** Of a migrated database. */
const catalogueOf = (databaseUrl: string): Promise<string> =>
  withEmptyDatabase(databaseUrl, async (url) => {
    await applyMigrations(url);
    return readCatalogue(url);
  });

/** Writes the file when its text is another, and returns whether it was. */
async function refresh(name: string, text: string): Promise<boolean> {
  const file = fileURLToPath(new URL(`../../../prisma/${name}`, import.meta.url));
  if (text === (await readFile(file, 'utf8'))) return false;
  await writeFile(file, text);
  return true;
}

await runCommand(async ({ databaseUrl, print }) => {
  const areTypesOld = await refresh('types.sql', TYPES);
  const drift = await withEmptyDatabase(databaseUrl, describeDrift);
  if (drift !== '') throw new StartError(`The migrations do not build schema.prisma. Still needed:\n${drift}`);
  const isCatalogueOld = await refresh('catalogue.txt', await catalogueOf(databaseUrl));
  const isEditionOld = await refresh(EDITION_FILE, await editionText());
  if (areTypesOld || isCatalogueOld || isEditionOld) {
    throw new StartError(
      `prisma/types.sql, catalogue.txt or ${EDITION_FILE} was old, and is new now: read the change and commit it.`,
    );
  }
  print('The migrations build exactly schema.prisma and prisma/catalogue.txt.');
});
