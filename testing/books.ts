import { runAudit } from '#audit/audit.js';
import { linesOfDifferences } from '#audit/report.js';
import { openDatabase } from '#platform/database/database.js';
import type { TestDatabase } from './databases.js';

/** Every money test ends with this: what is kept equals what the facts say, by all that `npm run audit` compares. */
export async function expectBooksToBalance({ url }: Pick<TestDatabase, 'url'>): Promise<void> {
  const database = openDatabase({ url, connections: 1, onConnectionError: () => undefined });
  try {
    const differences = linesOfDifferences((await runAudit(database)).findings);
    if (differences.length > 0) throw new Error(`The books do not balance.\n${differences.join('\n')}`);
  } finally {
    await database.$disconnect();
  }
}
