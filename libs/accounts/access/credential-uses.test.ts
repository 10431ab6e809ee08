import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Database, openDatabase } from '#platform/database/database.js';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { waitFor } from '#testing/wait-for.js';
import { createCredentialUses } from './credential-uses.js';

const MINUTE_MS = 60_000;

let testDatabase: TestDatabase;
let database: Database;
let other: pg.Client;
let tokenId: bigint;
let nowMs = Date.parse('2026-01-15T12:00:00Z');

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase({ url: testDatabase.url, connections: 2, onConnectionError: () => undefined });
  other = new pg.Client({ connectionString: testDatabase.url });
  await other.connect();
  await testDatabase.query(`INSERT INTO accounts (name, email) VALUES ('One', 'one@example.com')`);
  await testDatabase.query(
    `INSERT INTO operators (account_id, name, email, role) VALUES (1, 'One', 'one@example.com', 'owner')`,
  );
  const [session] = await testDatabase.query(
    `INSERT INTO access_tokens (account_id, operator_id, token_hash, expires_at) VALUES (1, 1, 'x', now() + interval '1 h') RETURNING id`,
  );
  tokenId = BigInt(String(session?.id));
});

afterAll(async () => {
  await other?.end();
  await database?.disconnect();
  await testDatabase?.drop();
});

/** Notes so many uses of the session, writes them, and returns the row. */
async function use(times: number) {
  const uses = createCredentialUses({ database, logger: { warn: fail } as never, now: () => new Date(nowMs) });
  for (let time = 0; time < times; time += 1) {
    uses.note({ accountId: 1n, tokenId, apiKeyId: undefined });
  }
  await uses.close();
  const [row] = await testDatabase.query('SELECT last_used_at, xmin::text AS version FROM access_tokens');
  return { atMs: (row?.last_used_at as Date | null)?.getTime(), version: row?.version };
}

const fail = (line: unknown) => {
  throw new Error(JSON.stringify(line));
};

describe('the last use of a credential', () => {
  it('is written once for many uses, and not again before half a minute has passed', async () => {
    const first = await use(1_000);
    expect(first.atMs).toBe(nowMs);
    nowMs += 29_000;
    expect(await use(1_000)).toEqual(first);
    nowMs += 2_000;
    expect((await use(1)).atMs).toBe(nowMs);
  });

  it('waits for no lock on the credential', async () => {
    const before = await use(1);
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM access_tokens FOR UPDATE');
    nowMs += MINUTE_MS;
    expect((await use(1)).atMs).toBe(before.atMs);
    await other.query('ROLLBACK');
    expect((await use(1)).atMs).toBe(nowMs);
  });

  it('empties no cache of credentials, as their end does', async () => {
    const notices: string[] = [];
    other.on('notification', ({ payload = '' }) => notices.push(payload));
    await other.query('LISTEN access_changed');
    nowMs += MINUTE_MS;
    expect((await use(1)).atMs).toBe(nowMs);
    await testDatabase.query('DELETE FROM access_tokens');
    await testDatabase.query(`SELECT pg_notify('access_changed', 'the last one')`);
    await waitFor(() => notices.includes('the last one'));
    expect(notices).toEqual(['1', 'the last one']);
  });
});
