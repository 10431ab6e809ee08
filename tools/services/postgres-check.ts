import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '#platform/errors/start-error.js';

const ANSWER_TIMEOUT_MS = 10_000;
const RETRY_MS = 250;
const OLDEST_VERSION = 15;

/** Temporary while a server starts; other faults (a wrong password, an unknown database) are final. */
const PASSING_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'EAI_AGAIN', '57P03'];

/** Throws when no recent PostgreSQL answers at the address within ten seconds. */
export async function assertPostgresUrl(url: string): Promise<void> {
  const deadline = Date.now() + ANSWER_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: deadline - Date.now() });
    client.on('error', () => undefined); // a connection may be lost while it closes
    try {
      await client.connect();
      await assertVersion(client);
      return;
    } catch (error) {
      if (error instanceof StartError) throw error;
      const { code = '' } = error as { code?: string };
      if (!PASSING_CODES.includes(code) || Date.now() + RETRY_MS > deadline) {
        throw new StartError(
          `The PostgreSQL of DATABASE_URL (${describe(url)}) does not answer: ${reasonOf(error)}. Start it, or correct ` +
            'DATABASE_URL, or leave DATABASE_URL unset to use a private one.',
        );
      }
    } finally {
      await client.end();
    }
    await delay(RETRY_MS);
  }
}

async function assertVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
  const version = rows[0]?.version ?? '';
  if (!(Number.parseInt(version, 10) >= OLDEST_VERSION)) {
    throw new StartError(
      `The PostgreSQL of DATABASE_URL is too old: it has version ${version}, and ${OLDEST_VERSION} or later is needed.`,
    );
  }
}

/** Host and database, without the user and the password. */
function describe(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** A failed connection to a name with several addresses has no message itself. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as AggregateError;
  return message || errors?.map((each) => each.message).join(', ') || String(error);
}
