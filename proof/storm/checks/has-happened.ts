import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { lacksOf } from './check-coverage.js';
import { ACCOUNTS, EVENT_FIGURES, figuresIn, type StoredAccount } from './replay/event-figures.js';
import { readOperations } from './replay/stored-log.js';

/** The coverage asks for these too, by the roles of their accounts. */
const FIGURES_OF_ROLES = ['plain wagers decided', 'plain overrides', 'bulk wagers decided'];
const ANSWERED_WITHIN_MS = 5_000;

/** The accounts of a role have its name and a number. */
const roleOf = ({ name }: StoredAccount): string => name.replace(/-\d+$/, '');

/**
 * Whether the event logs have all that the coverage will ask of a storm that ends after so many seconds. False too when PostgreSQL
 * does not answer.
 */
export async function hasHappened(databaseUrl: string, seconds: number): Promise<boolean> {
  const limits = { connectionTimeoutMillis: ANSWERED_WITHIN_MS, query_timeout: ANSWERED_WITHIN_MS };
  try {
    return await withPostgresClient({ connectionString: databaseUrl, ...limits }, async (client) => {
      const figures = new Map<string, number>();
      const { rows } = await client.query<StoredAccount>(ACCOUNTS);
      for (const account of rows) {
        for (const operation of await readOperations(client, account.id))
          for (const name of figuresIn(operation, roleOf(account))) figures.set(name, (figures.get(name) ?? 0) + 1);
      }
      return lacksOf(seconds, figures, [...EVENT_FIGURES, ...FIGURES_OF_ROLES]).length === 0;
    });
  } catch {
    return false;
  }
}
