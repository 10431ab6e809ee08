import { runAudit } from '#audit/audit.js';
import { linesOfDifferences } from '#audit/report.js';
import { connectDatabase } from '#platform/database/database.js';
import type { TestDatabase } from './databases.js';

/** Runs all comparisons of `npm run audit`. */
export async function expectBooksToBalance({ url }: Pick<TestDatabase, 'url'>): Promise<void> {
  const database = await connectDatabase({ url, connections: 1, onConnectionError: () => undefined });
  try {
    const differences = linesOfDifferences((await runAudit(database)).findings);
    if (differences.length > 0) throw new Error(`The books do not balance.\n${differences.join('\n')}`);
  } finally {
    await database.disconnect();
  }
}
